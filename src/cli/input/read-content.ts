import { RalphError } from "../../domain/ralph-error.js";
import { decodeUtf8 } from "../../text/decode-utf8.js";
import { readBytes } from "./read-document.js";

/** What is put into prompts, such as an objective or a note, wherever it is read from. */
const maxMegabytes = 1;

/** The content given as an argument; `-` reads standard input, without its trailing line ends. */
export function readContent(argument: string): string {
  return argument === "-" ? readContentFile("-").replace(/(?:\r?\n)+$/, "") : argument;
}

/** The content of a file, or standard input for `-`. */
export function readContentFile(file: string): string {
  const text = decodeUtf8(readBytes(file, maxMegabytes));
  if (text !== undefined) return text.replace(/^\uFEFF/, "");
  throw new RalphError("file-unusable", `${file === "-" ? "Standard input" : file} is not text in UTF-8`, {
    hint: "save it as UTF-8",
  });
}
