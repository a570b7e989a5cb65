import { rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError, RalphError } from "../../domain/ralph-error.js";
import { withFileErrors } from "../../files/file-problem.js";
import { stampFile } from "../../files/file-stamp.js";
import { isInside } from "../../files/path-inside.js";
import { replaceIfUnchanged } from "../../files/replace-file.js";
import type { FileChange } from "./open-files.js";

/** Writes what was planned; a file that somebody saved since is left alone, with an error. */
export function writeChanges(changes: readonly FileChange[], { base }: { base: string }): void {
  for (const { path, after, stamp } of changes) {
    if (after === undefined) removeFile(path, stamp, base);
    else if (replaceIfUnchanged(path, [Buffer.from(after)], stamp) === undefined) throw changed(path);
  }
}

function removeFile(path: string, stamp: string, base: string): void {
  if (stampFile(path) !== stamp) throw changed(path);
  withFileErrors(path, () => rmSync(path));
  for (let folder = dirname(path); folder !== base && isInside(base, folder); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (isSystemError(error, "ENOTEMPTY", "EEXIST", "EACCES", "EPERM", "EBUSY", "ENOTDIR", "ENOENT"))
        return;
      throw error;
    }
  }
}

function changed(path: string): RalphError {
  return new RalphError("file-unusable", `${path} was saved by somebody else just now`, {
    hint: "run ralph setup again",
  });
}
