import { readFileSync } from "node:fs";
import { applyEdit } from "../edit-file.js";
import { type EditStep, stepsAmong } from "../edit-steps.js";
import { type KeptEntry, sizeOfPrint } from "../kept-entries.js";

/** What a kept file contained when it was read, or when what somebody wrote to it was merged. Undefined if nothing tells. */
export function findBase(entries: readonly KeptEntry[], entry: KeptEntry): Buffer | undefined {
  const copy = entry.seen ?? entry.base;
  if (copy !== undefined) return findBytes(copy);
  const steps = stepsAmong(entries)(entry.print);
  return steps && takeSteps(steps);
}

function takeSteps(steps: readonly EditStep[]): Buffer | undefined {
  let bytes = findBytes(steps.at(-1)?.base ?? "");
  for (const { edit } of steps.toReversed()) {
    const change = findBytes(edit.path);
    if (bytes?.length !== sizeOfPrint(edit.from) || change === undefined) return undefined;
    bytes = applyEdit(bytes, change);
    if (bytes?.length !== sizeOfPrint(edit.to)) return undefined;
  }
  return bytes;
}

function findBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
