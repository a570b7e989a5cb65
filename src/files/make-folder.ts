import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";

/** Makes a folder and those above it, one by one: Node's own way of doing that never ends in places like /proc. */
export function makeFolder(path: string, mode?: number): void {
  withFileErrors(path, () => makeWithParents(path, mode));
}

function makeWithParents(path: string, mode: number | undefined): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeWithParents(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!isSystemError(error, "EEXIST") || !statSync(path).isDirectory()) throw error;
  }
}
