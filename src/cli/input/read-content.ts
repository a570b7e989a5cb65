import { RalphError } from "../../domain/ralph-error.js";
import { readSome } from "./read-lines.js";

const maxInputBytes = 1024 * 1024;

/** The content given as an argument; `-` reads standard input, without its trailing line ends. */
export function readContent(argument: string): string {
  return argument === "-" ? readStandardInput().replace(/(?:\r?\n)+$/, "") : argument;
}

function readStandardInput(): string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.alloc(65_536);
    const length = readSome(chunk);
    if (length === 0) return new TextDecoder().decode(Buffer.concat(chunks));
    size += length;
    if (size > maxInputBytes) {
      throw new RalphError("wrong-use", "Standard input is larger than 1 MB", { hint: "split it" });
    }
    chunks.push(chunk.subarray(0, length));
  }
}
