import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";

/** Creates a folder and its parents one by one: Node's recursive mkdir never returns in places like /proc. */
export function makeFolder(path: string, mode?: number): void {
  withFileErrors(path, () => makeWithParents(path, mode));
}

function makeWithParents(path: string, mode: number | undefined): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeWithParents(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isSystemError(error, "EEXIST") || !statSync(path).isDirectory()) throw error;
  }
}
