import { readSync } from "node:fs";
import { isSystemError } from "../../domain/ralph-error.js";
import { pauseBriefly } from "../output/terminal/pause-briefly.js";

export interface InputLine {
  number: number;
  text: string;
}

/** Streams the lines of standard input. */
export function* readLines(): Generator<InputLine> {
  const decoder = new TextDecoder();
  const chunk = Buffer.alloc(1024 * 1024);
  let rest = "";
  let number = 0;
  for (let length = readSome(chunk); length > 0; length = readSome(chunk)) {
    const lines = (rest + decoder.decode(chunk.subarray(0, length), { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      number += 1;
      yield { number, text };
    }
  }
  rest += decoder.decode();
  if (rest !== "") yield { number: number + 1, text: rest };
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
