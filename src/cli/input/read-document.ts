import { isSystemError, RalphError } from "../../domain/ralph-error.js";
import { readGivenFile } from "../../files/read-regular-file.js";
import { readSome } from "./read-lines.js";

const megabyte = 1024 * 1024;

/** Reads a file, or standard input for `-`, up to a size. */
export function readDocument(file: string, maxMegabytes = 256): string {
  if (file === "-") return readStandardInput(maxMegabytes);
  const text = readText(file);
  if (Buffer.byteLength(text) > maxMegabytes * megabyte) throw tooLarge(file, maxMegabytes);
  return text;
}

function readText(file: string): string {
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

function readStandardInput(maxMegabytes: number): string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.alloc(megabyte);
    const length = readSome(chunk);
    if (length === 0) return new TextDecoder().decode(Buffer.concat(chunks));
    size += length;
    if (size > maxMegabytes * megabyte) throw tooLarge("Standard input", maxMegabytes);
    chunks.push(chunk.subarray(0, length));
  }
}

function tooLarge(what: string, maxMegabytes: number): RalphError {
  return new RalphError("wrong-use", `${what} is larger than ${maxMegabytes} MB`, { hint: "split it" });
}
