import { statSync } from "node:fs";
import { type KeptEdit, type KeptEntry, sizeOfPrint } from "./kept-entries.js";

/** A replacement whose edit is known. */
export interface EditStep extends KeptEntry {
  edit: KeptEdit;
}

/** More than these, one after the other, are not needed for any content: a copy is made then. */
const maxSteps = 16;

/**
 * Finds Ralph's own edits that made the content of a kept file, the last one first; the one that was made first has a copy of
 * what it began with. Undefined where no such copy is near. Only in the entry's own folder: whoever writes to another one may
 * not know of this, and remove what it does not need itself.
 */
export function stepsAmong(entries: readonly KeptEntry[]): (entry: KeptEntry) => EditStep[] | undefined {
  const keyOf = (folder: string, print: string) => `${print} ${folder}`;
  const byResult = new Map(
    entries.filter(isStep).map((step) => [keyOf(step.folder, step.edit.to), step] as const),
  );
  return ({ folder, print }) => {
    const steps: EditStep[] = [];
    for (let wanted = print; steps.length < maxSteps; ) {
      const step = byResult.get(keyOf(folder, wanted));
      if (step === undefined) return undefined;
      steps.push(step);
      if (step.base !== undefined) return steps;
      wanted = step.edit.from;
    }
    return undefined;
  };
}

function isStep(entry: KeptEntry): entry is EditStep {
  return entry.edit !== undefined;
}

/** Whether the copy has its size, and no edit is empty: none of them is synced, and a loss of power may leave nothing of them. */
export function areWhole(steps: readonly EditStep[]): boolean {
  const first = steps.at(-1);
  const sizeOf = (path: string | undefined) => statSync(path ?? "", { throwIfNoEntry: false })?.size ?? 0;
  return (
    first !== undefined &&
    sizeOf(first.base) === sizeOfPrint(first.edit.from) &&
    steps.every(({ edit }) => sizeOf(edit.path) > 0)
  );
}
