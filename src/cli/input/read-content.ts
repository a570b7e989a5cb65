import { isSystemError, RalphError } from "../../domain/ralph-error.js";
import { readGivenFile } from "../../files/read-regular-file.js";
import { decodeUtf8 } from "../../text/decode-utf8.js";
import { wrongUse } from "../framework/command.js";
import { readSome } from "./read-lines.js";

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

const megabyte = 1024 * 1024;
const maxDocumentMegabytes = 256;

/** Reads a file, or standard input for `-`; bytes that are not UTF-8, as tools may print them, are replaced. */
export function readDocument(file: string): string {
  return new TextDecoder().decode(readBytes(file, maxDocumentMegabytes));
}

/** The bytes of a file, or of standard input for `-`, up to a size. */
function readBytes(file: string, maxMegabytes: number): Buffer {
  if (file === "-") return readStandardInput(maxMegabytes);
  const bytes = readFile(file);
  if (bytes.length > maxMegabytes * megabyte) throw tooLarge(file, maxMegabytes);
  return bytes;
}

function readFile(file: string): Buffer {
  try {
    return readGivenFile(file);
  } catch (error) {
    const cause = error instanceof RalphError ? error.cause : undefined;
    if (isSystemError(cause, "ENOENT"))
      throw new RalphError("not-found", `File not found: ${file}`, { hint: "check the path", cause });
    if (isSystemError(cause, "EISDIR"))
      throw new RalphError("file-unusable", `${file} is a folder`, { hint: "name a file in it", cause });
    throw error;
  }
}

function readStandardInput(maxMegabytes: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.alloc(megabyte);
    const length = readSome(chunk);
    if (length === 0) return Buffer.concat(chunks);
    size += length;
    if (size > maxMegabytes * megabyte) throw tooLarge("Standard input", maxMegabytes);
    chunks.push(chunk.subarray(0, length));
  }
}

function tooLarge(what: string, maxMegabytes: number): RalphError {
  return wrongUse(`${what} is larger than ${maxMegabytes} MB`, "split it");
}
