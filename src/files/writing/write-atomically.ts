import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSystemError } from "../../domain/ralph-error.js";
import { withFileErrors } from "../file-problem.js";
import { absentStamp, type FileStamp, stampFile, stampOf } from "../file-stamp.js";
import { makeFolder } from "../make-folder.js";
import { followLinks, keepModeAndOwner, syncDirectory, writeAll } from "../shared/file-steps.js";
import { removeLeftovers, temporaryName } from "../shared/temporary-name.js";
import { whileLocked } from "../while-locked.js";
import { keepPrevious, type PreviousFile } from "./previous-file.js";
import { refuseSpecialFile } from "./refuse-special-file.js";

/**
 * Replaces a file in one step: a temporary file is written and synced, then renamed over it. If the file no longer has
 * the expected stamp, because somebody else wrote to it, nothing changes. Symbolic links are followed; mode and owner
 * are kept; a read-only file is not replaced. For files that are overwritten on purpose; what people write to while
 * Ralph does is replaced by `replaceShared`.
 */
export function writeAtomically(
  path: string,
  parts: readonly Uint8Array[],
  expected: FileStamp,
): "written" | "changed-meanwhile" {
  return withFileErrors(path, () => {
    const target = followLinks(path);
    const directory = dirname(target);
    makeFolder(directory);
    if (expected !== absentStamp) {
      refuseSpecialFile(target);
      accessSync(target, constants.W_OK);
    }
    removeLeftovers(directory, basename(target));
    const temporary = join(directory, temporaryName(basename(target)));
    const file = openSync(temporary, "wx", 0o666);
    let previous: PreviousFile | undefined;
    try {
      keepModeAndOwner(file, target);
      writeAll(file, parts);
      fsyncSync(file);
      if (stampFile(target) !== expected) return changedMeanwhile(temporary);
      if (expected === absentStamp) {
        if (!publishNew(temporary, target)) return changedMeanwhile(temporary);
      } else {
        previous = keepPrevious(target, expected);
        if (previous === undefined || (previous.isCopy && stampFile(target) !== expected)) {
          previous?.remove();
          return changedMeanwhile(temporary);
        }
        whileLocked(() => renameSync(temporary, target));
      }
      if (previous?.hasLostWrite()) {
        previous.restore(stampOf(fstatSync(file, { bigint: true })));
        return "changed-meanwhile";
      }
      syncDirectory(directory);
      previous?.remove();
      return "written";
    } catch (error) {
      rmSync(temporary, { force: true });
      previous?.remove();
      throw error;
    } finally {
      closeSync(file);
    }
  });
}

/** Whether the name was still free. Where the file system has no links, a file that was made just now is replaced. */
function publishNew(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    renameSync(temporary, target);
    return true;
  }
  rmSync(temporary);
  return true;
}

function changedMeanwhile(temporary: string): "changed-meanwhile" {
  rmSync(temporary, { force: true });
  return "changed-meanwhile";
}
