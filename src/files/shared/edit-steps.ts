import type { KeptEdit, KeptEntry } from "./kept-entries.js";

/** A replacement whose edit is known. */
export interface EditStep extends KeptEntry {
  edit: KeptEdit;
}

/** More than these, one after the other, are not needed for any content: a copy is made then. */
const maxSteps = 16;

/**
 * Finds Ralph's own edits that made the content with a print, the last one first; the one that was made first has a copy of
 * what it began with. Undefined where no such copy is near.
 */
export function stepsAmong(entries: readonly KeptEntry[]): (print: string) => EditStep[] | undefined {
  const byResult = new Map(entries.filter(isStep).map((step) => [step.edit.to, step]));
  return (print) => {
    const steps: EditStep[] = [];
    for (
      let step = byResult.get(print);
      step !== undefined && steps.length < maxSteps;
      step = byResult.get(step.edit.from)
    ) {
      steps.push(step);
      if (step.base !== undefined) return steps;
    }
    return undefined;
  };
}

function isStep(entry: KeptEntry): entry is EditStep {
  return entry.edit !== undefined;
}
