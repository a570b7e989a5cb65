import type { Expression, Term } from "./expression.js";

/** How often each matching document holds a term, weighted by field; and how many documents of all do. */
export interface TermFrequencies {
  holders: number;
  /** By the place of the match; NaN where the term is not held. */
  frequencies: Float64Array;
}

export interface IndexSize {
  documents: number;
  words: number;
}

const k1 = 1.2;
const b = 0.75;
const leastRarity = 1e-6;

/** FTS5's BM25: each time that a term is asked counts, but only where its part of the expression matches. */
export function scoreMatches(
  lengths: readonly number[],
  { groups, alternative, any }: Expression,
  held: ReadonlyMap<Term, TermFrequencies>,
  size: IndexSize,
): Float64Array {
  const average = size.words / size.documents;
  const slowness = lengths.map((length) => k1 * (1 - b + (b * length) / average));
  const scores = new Float64Array(lengths.length);
  const add = (terms: readonly Term[], counts: (place: number) => boolean) => {
    for (const term of terms) {
      const { holders, frequencies } = held.get(term) ?? nowhere;
      const rarity = rarityOf(holders, size.documents);
      for (const [place, frequency] of frequencies.entries())
        if (!Number.isNaN(frequency) && counts(place))
          scores[place] =
            (scores[place] ?? 0) + (rarity * frequency * (k1 + 1)) / (frequency + (slowness[place] ?? 0));
    }
  };
  const holds = (term: Term, place: number) =>
    !Number.isNaN(held.get(term)?.frequencies[place] ?? Number.NaN);
  add(groups.flat(), (place) => groups.every((terms) => terms.some((term) => holds(term, place))));
  add(alternative, (place) => alternative.every((term) => holds(term, place)));
  add(any, () => true);
  return scores;
}

const nowhere: TermFrequencies = { holders: 0, frequencies: new Float64Array() };

function rarityOf(holders: number, documents: number): number {
  const rarity = Math.log((documents - holders + 0.5) / (holders + 0.5));
  return rarity <= 0 ? leastRarity : rarity;
}
