import { type Stats, statSync } from "node:fs";
import { withFileErrors } from "./file-problem.js";

/** What is known of a file, or of where a link leads; undefined if there is none. */
export function findStats(path: string): Stats | undefined {
  return withFileErrors(path, () => statSync(path, { throwIfNoEntry: false }));
}
