import { statSync } from "node:fs";
import { type KeptEdit, type KeptEntry, sizeOfPrint } from "./kept-entries.js";

/** A replacement whose edit is known. */
export interface EditStep extends KeptEntry {
  edit: KeptEdit;
}

/** More than these, one after the other, are not needed for any content: a copy is made then. */
const maxSteps = 16;

/**
 * Ralph's own edits that made the content of a kept file, the last one first; the one that was made first has a copy of what it
 * began with. Undefined where no such copy is near. Only in the entry's own folder: whoever writes to another one may not know of
 * this, and remove what it does not need itself.
 */
export function findSteps(
  entries: readonly KeptEntry[],
  { folder, print }: KeptEntry,
): EditStep[] | undefined {
  const steps: EditStep[] = [];
  for (let wanted = print; steps.length < maxSteps; ) {
    // Most are asked for what was made a moment ago.
    const step = entries.findLast(
      (entry): entry is EditStep => isStep(entry) && entry.edit.to === wanted && entry.folder === folder,
    );
    if (step === undefined) return undefined;
    steps.push(step);
    if (step.base !== undefined) return steps;
    wanted = step.edit.from;
  }
  return undefined;
}

/** The steps that any of some entries need. */
export function stepsNeededBy(
  some: readonly KeptEntry[],
  entries: readonly KeptEntry[],
): ReadonlySet<KeptEntry> {
  const keyOf = (folder: string, print: string) => `${print} ${folder}`;
  const byResult = new Map(
    entries.filter(isStep).map((step) => [keyOf(step.folder, step.edit.to), step] as const),
  );
  const needed = new Set<KeptEntry>();
  for (const { folder, print } of some) {
    for (
      let step = byResult.get(keyOf(folder, print));
      step !== undefined && !needed.has(step);
      step = step.base === undefined ? byResult.get(keyOf(folder, step.edit.from)) : undefined
    )
      needed.add(step);
  }
  return needed;
}

function isStep(entry: KeptEntry): entry is EditStep {
  return entry.edit !== undefined;
}

/** Whether their files are as long as they should be: none is synced, and a loss of power may leave empty ones. */
export function areWhole(steps: readonly EditStep[]): boolean {
  const first = steps.at(-1);
  const sizeOf = (path: string | undefined) => statSync(path ?? "", { throwIfNoEntry: false })?.size ?? 0;
  return (
    first !== undefined &&
    sizeOf(first.base) === sizeOfPrint(first.edit.from) &&
    steps.every(({ edit }) => sizeOf(edit.path) > 0)
  );
}
