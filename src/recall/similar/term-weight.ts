import { backgroundShare } from "../../words/frequencies/word-frequencies.js";
import { similarTasks as weights } from "../weights.js";
import { type TermPositions, wordsOfPath } from "./term-positions.js";

/** How specific a stem is: from 0, for one in every text, to `mostTermWeight`. */
export type TermWeight = (word: string) => number;

/** How many of the records contain each stem. */
export interface Counted {
  holding: ReadonlyMap<string, number>;
  records: number;
}

/** Inverse document frequency in the store, else among the candidates, blended with that of texts about software. */
export function makeTermWeight(
  texts: readonly { record: { counts: TermPositions }; positions: TermPositions; files: readonly string[] }[],
  counted: Counted,
): TermWeight {
  const holding = new Map<string, number>();
  // Of each candidate each word: an iterator makes an object for every step.
  for (const { record, positions, files } of texts) {
    const words = new Set<string>();
    const add = (_: unknown, word: string) => {
      words.add(word);
    };
    record.counts.forEach(add);
    positions.forEach(add);
    for (const file of files) for (const word of wordsOfPath(file)) words.add(word);
    words.forEach((word) => {
      holding.set(word, (holding.get(word) ?? 0) + 1);
    });
  }
  const known = new Map<string, number>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const isCounted = counted.holding.has(word);
    // The question counts as one text with the word.
    const here = Math.max(1, (isCounted ? counted.holding : holding).get(word) ?? 1);
    const all = Math.max(1, isCounted ? counted.records : texts.length);
    const share = (weights.backgroundTexts * backgroundShare(word) + here) / (weights.backgroundTexts + all);
    const weight = Math.min(weights.mostTermWeight, Math.max(0, -Math.log(share)));
    known.set(word, weight);
    return weight;
  };
}

/** How specific a stem is in texts about software, whatever the store has. */
export function backgroundWeight(word: string): number {
  return Math.min(weights.mostTermWeight, -Math.log(backgroundShare(word)));
}

/** The weighted share of words that a text contains. */
export function coveredShare(words: Iterable<string>, text: TermPositions, weightOf: TermWeight): number {
  let all = 0;
  let named = 0;
  for (const word of words) {
    all += weightOf(word);
    named += weightOf(word) * Math.sqrt(text.get(word) ?? 0);
  }
  return all === 0 ? 0 : named / all;
}
