import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A notes file with five notes in all four sections; two of the ids are not hexadecimal. */
export const sampleNotes = readFileSync(join(import.meta.dirname, "../fixtures/memories-sample.md"));
