import { readSync } from "node:fs";
import { isSystemError } from "../../domain/ralph-error.js";
import { wrongUse } from "../framework/command.js";

interface InputLine {
  number: number;
  text: string;
}

/** Far more than any tool prints; a string cannot be much longer. */
const maxLineLength = 256 * 1024 * 1024;

/** Streams the lines of standard input. */
export function* readLines(read: (chunk: Buffer) => number = readSome): Generator<InputLine> {
  const decoder = new TextDecoder();
  const chunk = Buffer.alloc(1024 * 1024);
  /** Pieces of the line that has not ended yet, joined once: a line may span many chunks. */
  let pieces: string[] = [];
  let length = 0;
  let number = 1;
  const take = (piece: string): void => {
    length += piece.length;
    if (length > maxLineLength) throw wrongUse(`Line ${number} is longer than 256 MB`, "shorten it");
    if (piece !== "") pieces.push(piece);
  };
  const finish = (): InputLine => {
    const line = { number, text: pieces.join("") };
    pieces = [];
    length = 0;
    number += 1;
    return line;
  };
  for (let size = read(chunk); size > 0; size = read(chunk)) {
    const text = decoder.decode(chunk.subarray(0, size), { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      take(text.slice(start, end));
      yield finish();
      start = end + 1;
    }
    take(text.slice(start));
  }
  take(decoder.decode());
  if (length > 0) yield finish();
}

/** Returns 0 at the end of standard input. */
export function readSome(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      if (isSystemError(error, "EOF")) return 0;
      if (!isSystemError(error, "EAGAIN")) throw error;
      pauseBriefly();
    }
  }
}

/** Waits for the other end of a non-blocking pipe. */
export function pauseBriefly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
