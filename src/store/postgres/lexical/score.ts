import type { Term } from "./words.js";

/** What a document must hold: one term of each group, or all of the alternative; and any term at all. */
export interface Expression {
  groups: readonly (readonly Term[])[];
  alternative: readonly Term[];
  any: readonly Term[];
}

export interface Scale {
  documents: number;
  /** Words per document. */
  averageLength: number;
  /** How many documents hold a term. */
  holders: ReadonlyMap<Term, number>;
}

const k1 = 1.2;
const b = 0.75;
const leastRarity = 1e-6;

/** BM25's weight of a term, as SQLite's FTS5 computes it. */
export function rarityOf(term: Term, { documents, holders }: Scale): number {
  const held = holders.get(term) ?? 0;
  return Math.max(leastRarity, Math.log((documents - held + 0.5) / (held + 0.5)));
}

/** BM25 as SQLite's FTS5 computes it: each time that a term is asked for counts, but only where its part of the expression matches. */
export function scoreOf(
  { frequencies, length }: { frequencies: ReadonlyMap<string, number>; length: number },
  { groups, alternative, any }: Expression,
  scale: Scale,
): number {
  const slowness = k1 * (1 - b + (b * length) / scale.averageLength);
  const found = new Map<Term, number>();
  for (const term of [...groups.flat(), ...alternative, ...any]) {
    if (found.has(term)) continue;
    const frequency = frequencyOf(term, frequencies);
    if (frequency !== undefined)
      found.set(term, (rarityOf(term, scale) * frequency * (k1 + 1)) / (frequency + slowness));
  }
  const sum = (terms: readonly Term[]) => terms.reduce((total, term) => total + (found.get(term) ?? 0), 0);
  const holdsGroups = groups.every((terms) => terms.some((term) => found.has(term)));
  const holdsAlternative = alternative.every((term) => found.has(term));
  return sum(any) + (holdsGroups ? sum(groups.flat()) : 0) + (holdsAlternative ? sum(alternative) : 0);
}

/** Undefined if the document does not hold the term. Of several words in a row, the least frequent counts. */
function frequencyOf(
  { stems, isPrefix }: Term,
  frequencies: ReadonlyMap<string, number>,
): number | undefined {
  const found = stems.map((stem, place) =>
    isPrefix && place === stems.length - 1 ? beginningWith(stem, frequencies) : frequencies.get(stem),
  );
  return found.includes(undefined) ? undefined : Math.min(...(found as number[]));
}

function beginningWith(start: string, frequencies: ReadonlyMap<string, number>): number | undefined {
  let sum: number | undefined;
  for (const [word, frequency] of frequencies) if (word.startsWith(start)) sum = (sum ?? 0) + frequency;
  return sum;
}
