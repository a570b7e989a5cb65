import { readDocument } from "./read-document.js";

/** What is put into prompts, such as an objective or a note, wherever it is read from. */
const maxMegabytes = 1;

/** The content given as an argument; `-` reads standard input, without its trailing line ends. */
export function readContent(argument: string): string {
  return argument === "-" ? readContentFile("-").replace(/(?:\r?\n)+$/, "") : argument;
}

/** The content of a file, or standard input for `-`. */
export function readContentFile(file: string): string {
  return readDocument(file, maxMegabytes);
}
