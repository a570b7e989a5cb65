import { readRegularFile } from "../../read-regular-file.js";
import { applyEdit } from "../edit-file.js";
import { type EditStep, stepsAmong } from "../edit-steps.js";
import { findStats, type KeptEntry, sizeOfPrint } from "../kept-entries.js";

/** What a kept file contained when it was read, or when what somebody wrote to it was merged. Undefined if nothing tells. */
export function findBase(entries: readonly KeptEntry[], entry: KeptEntry): Buffer | undefined {
  // What was read is where the edit began, also when something else has been merged since.
  const read = { ...entry, print: entry.edit?.from ?? entry.print };
  return findSeen(entry) ?? findOwnCopy(entry) ?? takeSteps(stepsAmong(entries)(read) ?? []);
}

/** Whoever wrote it may have been killed before the kept file was renamed to say so. */
function findSeen({ seen, kept, print }: KeptEntry): Buffer | undefined {
  if (seen === undefined) return undefined;
  return findCopy(seen, sizeOfPrint(print)) ?? findCopy(seen, Number(findStats(kept ?? "")?.size));
}

/** Its print is only that of the kept file until something else has been merged. */
function findOwnCopy({ base, seen, print }: KeptEntry): Buffer | undefined {
  if (base === undefined) return undefined;
  return seen === undefined ? findCopy(base, sizeOfPrint(print)) : findBytes(base);
}

function takeSteps(steps: readonly EditStep[]): Buffer | undefined {
  const first = steps.at(-1);
  let bytes = first?.base === undefined ? undefined : findBytes(first.base);
  for (const { edit } of steps.toReversed()) {
    const change = findBytes(edit.path);
    if (bytes?.length !== sizeOfPrint(edit.from) || change === undefined) return undefined;
    bytes = applyEdit(bytes, change);
  }
  const last = steps[0];
  return last !== undefined && bytes?.length === sizeOfPrint(last.edit.to) ? bytes : undefined;
}

/** A copy of another length is not whole, or of something else. */
function findCopy(path: string, size: number): Buffer | undefined {
  const bytes = findBytes(path);
  return bytes?.length === size ? bytes : undefined;
}

function findBytes(path: string): Buffer | undefined {
  try {
    return readRegularFile(path);
  } catch {
    return undefined;
  }
}
