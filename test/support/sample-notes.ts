import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A notes file with five notes in all four sections; two of the ids are not hexadecimal. */
export const sampleNotes = readFileSync(join(import.meta.dirname, "../fixtures/memories-sample.md"));

/** Notes as they stand in the file, one for each text. */
export function noteBlocks(contents: readonly string[]): string {
  return contents
    .map(
      (content, index) =>
        `### mem-${1_700_000_000 + index}-0001\n> ${content}\n<!-- tags: | created: 2026-01-01 -->\n`,
    )
    .join("\n");
}
