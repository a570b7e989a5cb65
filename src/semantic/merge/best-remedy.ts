import type { SourceFigures, SourceRemedy } from "../../domain/knowledge/learning.js";

interface Group {
  /** The best wording. */
  remedy: SourceRemedy;
  tasks: number;
  last: string;
}

/**
 * The remedy that helped in most sources; of equal ones, what somebody put into words, then the newest. One that was tried again
 * later, in vain, no longer counts. The result does not depend on the order of the sources.
 */
export function bestRemedy(figures: readonly SourceFigures[]): SourceRemedy | undefined {
  const groups = new Map<string, Group>();
  for (const { remedy, at = "" } of figures) {
    if (remedy === undefined) continue;
    const group = groups.get(remedy.gist);
    if (group === undefined) groups.set(remedy.gist, { remedy, tasks: 1, last: at });
    else {
      group.tasks += 1;
      if (isBetterWording(remedy, group.remedy)) group.remedy = remedy;
      if (at > group.last) group.last = at;
    }
  }
  const [best] = [...groups]
    .map(([gist, group]) => ({ ...group, isOver: failedSince(figures, gist, group.last) }))
    .sort(
      (one, other) =>
        Number(one.isOver) - Number(other.isOver) ||
        other.tasks - one.tasks ||
        Number(other.remedy.isSaid === true) - Number(one.remedy.isSaid === true) ||
        compare(other.last, one.last) ||
        compare(one.remedy.text, other.remedy.text),
    );
  if (best === undefined || best.remedy.isSaid) return best?.remedy;
  const spoken = figures.flatMap(({ remedy }) =>
    remedy?.isSaid && names(remedy, best.remedy) ? [remedy] : [],
  );
  const [wording] = spoken.sort((one, other) => compare(one.text, other.text));
  return wording === undefined ? best.remedy : { ...wording, gist: best.remedy.gist };
}

/** Whether a statement names what a remedy consists of: a script, an option, a call. */
function names({ text }: SourceRemedy, { gist }: SourceRemedy): boolean {
  const words = gist.split(/[\s`'"+()]+/).filter((word) => /[-:/._@]/.test(word) || word.length >= 9);
  return words.some((word) => text.toLowerCase().includes(word));
}

/** What somebody said in a source, although another remedy is better known: it may still be true of another case. */
export function otherStatements(
  bySource: Readonly<Record<string, SourceFigures>>,
): { statement: string; source: string }[] {
  const figures = Object.values(bySource);
  const best = bestRemedy(figures);
  return Object.entries(bySource).flatMap(([source, { remedy, at = "" }]) =>
    remedy?.isSaid &&
    remedy.gist !== best?.gist &&
    remedy.text !== best?.text &&
    !failedSince(figures, remedy.gist, at)
      ? [{ statement: remedy.text, source }]
      : [],
  );
}

function failedSince(figures: readonly SourceFigures[], gist: string, last: string): boolean {
  return figures.some(({ inVain = [], at = "" }) => at > last && inVain.includes(gist));
}

/** What was said, then few steps, then the fuller text. */
function isBetterWording(one: SourceRemedy, other: SourceRemedy): boolean {
  if (Boolean(one.isSaid) !== Boolean(other.isSaid)) return one.isSaid === true;
  const steps = ({ text }: SourceRemedy) => text.split(", then ").length;
  if (steps(one) !== steps(other)) return steps(one) < steps(other);
  if (one.text.length !== other.text.length) return one.text.length > other.text.length;
  return one.text < other.text;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
