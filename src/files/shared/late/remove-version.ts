import { dirname } from "node:path";
import { stepsAmong } from "../edit-steps.js";
import { writeNew } from "../file-steps.js";
import { entriesIn, pathsIn, removeFile } from "../kept-entries.js";
import { findBase } from "./find-base.js";

/**
 * Removes one of the files that tell of earlier versions. A kept file whose content can no longer be told without it gets a copy
 * of its own first, unless that is unwanted, too.
 */
export function removeVersion(path: string, isUnwanted: (bytes: Buffer) => boolean): void {
  const entries = entriesIn(dirname(path));
  const stepsTo = stepsAmong(entries);
  for (const entry of entries) {
    if (entry.kept === undefined || entry.seen !== undefined || entry.base !== undefined) continue;
    if (!stepsTo(entry)?.some(({ base, edit }) => base === path || edit.path === path)) continue;
    const bytes = findBase(entries, entry);
    if (bytes === undefined || isUnwanted(bytes)) continue;
    // Those that follow are told by this one.
    entry.base = findWritten(pathsIn(entry.folder, entry.token)("base"), bytes);
  }
  removeFile(path);
}

/** Undefined if it could not be written: what is to be removed has to go all the same. */
function findWritten(path: string, bytes: Buffer): string | undefined {
  try {
    writeNew(path, bytes);
    return path;
  } catch {
    return undefined;
  }
}
