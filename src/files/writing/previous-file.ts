import { copyFileSync, linkSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSystemError, RalphError } from "../../domain/ralph-error.js";
import { type FileStamp, stampFile } from "../file-stamp.js";
import { temporaryName } from "../shared/temporary-name.js";

/** A file under a second name, so that it outlives its replacement. */
export interface PreviousFile {
  /** A copy, where the file system has no links: what others write to the file does not reach it. */
  isCopy: boolean;
  /** Whether it is another file than expected, or somebody who had it open wrote to it. */
  hasLostWrite(): boolean;
  /** Gives it back its name, unless somebody else has written to its replacement. */
  restore(replacement: FileStamp): void;
  remove(): void;
}

/** Nothing when the file is gone. */
export function keepPrevious(target: string, expected: FileStamp): PreviousFile | undefined {
  const path = join(dirname(target), temporaryName(basename(target)));
  const isLinked = linkOrCopy(target, path);
  if (isLinked === undefined) return undefined;
  const hasLostWrite = () => isLinked && !isAsExpected(path, expected);
  return {
    isCopy: !isLinked,
    hasLostWrite,
    restore(replacement) {
      if (stampFile(target) === replacement) renameSync(path, target);
      else if (hasLostWrite()) throw savedTwice(target, path);
      else rmSync(path, { force: true });
    },
    remove: () => rmSync(path, { force: true }),
  };
}

function linkOrCopy(target: string, path: string): boolean | undefined {
  try {
    linkSync(target, path);
    return true;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    copyFileSync(target, path);
    return false;
  }
}

/** Links and renames change only the time of a file's entry, so that is left out. */
function isAsExpected(path: string, expected: FileStamp): boolean {
  const parts = (stamp: FileStamp) => stamp.split(":").toSpliced(2, 1).join(":");
  return parts(stampFile(path)) === parts(expected);
}

/** Nobody can tell which of the two is meant, so both stay. */
function savedTwice(target: string, path: string): RalphError {
  const kept = `${target}.${Date.now()}.kept`;
  renameSync(path, kept);
  return new RalphError("file-unusable", `${target} was saved twice while Ralph was writing it`, {
    hint: `the earlier save is kept as ${kept}; copy what is missing from it`,
  });
}
