import { readRegularFile } from "../../read-regular-file.js";
import { applyEdit } from "../edit-file.js";
import { type EditStep, findSteps } from "../edit-steps.js";
import { type KeptEntry, sizeOfPrint } from "../kept-entries.js";

/** What a kept file contained when it was read, or when what somebody wrote to it was merged. Undefined if nothing tells. */
export function findBase(entries: readonly KeptEntry[], entry: KeptEntry): Buffer | undefined {
  return (
    findCopy(entry.seen, entry.print) ??
    findCopy(entry.base, entry.print) ??
    takeSteps(findSteps(entries, entry) ?? [])
  );
}

function takeSteps(steps: readonly EditStep[]): Buffer | undefined {
  const first = steps.at(-1);
  let bytes = first && findCopy(first.base, first.edit.from);
  for (const { edit } of steps.toReversed()) {
    const change = findBytes(edit.path);
    if (bytes?.length !== sizeOfPrint(edit.from) || change === undefined) return undefined;
    bytes = applyEdit(bytes, change);
  }
  const last = steps[0];
  return last !== undefined && bytes?.length === sizeOfPrint(last.edit.to) ? bytes : undefined;
}

/** A copy that is not as long as what it was made of is not whole, or of something else. */
function findCopy(path: string | undefined, print: string): Buffer | undefined {
  const bytes = path === undefined ? undefined : findBytes(path);
  return bytes?.length === sizeOfPrint(print) ? bytes : undefined;
}

function findBytes(path: string): Buffer | undefined {
  try {
    return readRegularFile(path);
  } catch {
    return undefined;
  }
}
