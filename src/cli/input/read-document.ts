import { isSystemError, RalphError } from "../../domain/ralph-error.js";
import { readGivenFile } from "../../files/read-regular-file.js";
import { readSome } from "./read-lines.js";

const chunkBytes = 1024 * 1024;
const maxBytes = 256 * 1024 * 1024;

/** Reads a file, or standard input for `-`. */
export function readDocument(file: string): string {
  return file === "-" ? readStandardInput() : readText(file);
}

function readText(file: string): string {
  try {
    return readGivenFile(file);
  } catch (error) {
    if (error instanceof RalphError && isSystemError(error.cause, "ENOENT")) {
      throw new RalphError("not-found", `File not found: ${file}`, { hint: "check the path", cause: error });
    }
    throw error;
  }
}

function readStandardInput(): string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.alloc(chunkBytes);
    const length = readSome(chunk);
    if (length === 0) return new TextDecoder().decode(Buffer.concat(chunks));
    size += length;
    if (size > maxBytes) {
      throw new RalphError("wrong-use", "Standard input is larger than 256 MB", { hint: "split it" });
    }
    chunks.push(chunk.subarray(0, length));
  }
}
