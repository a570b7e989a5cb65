import { readFileSync } from "node:fs";
import { isSystemError, RalphError } from "../../domain/ralph-error.js";
import { fileProblem } from "../../files/file-problem.js";
import { readSome } from "./read-lines.js";

const chunkBytes = 1024 * 1024;

/** Reads a file, or standard input for `-`. */
export function readDocument(file: string): string {
  return file === "-" ? readStandardInput() : readText(file);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) {
      throw new RalphError("not-found", `File not found: ${file}`, { hint: "check the path", cause: error });
    }
    throw fileProblem(file, error);
  }
}

function readStandardInput(): string {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.alloc(chunkBytes);
    const length = readSome(chunk);
    if (length === 0) return new TextDecoder().decode(Buffer.concat(chunks));
    chunks.push(chunk.subarray(0, length));
  }
}
