import { tellingLength } from "../../search/question.js";
import { withoutComments } from "../../text/markdown/without-comments.js";
import { memoize } from "../../text/memoize.js";
import { backgroundShare } from "../../words/frequencies/word-frequencies.js";
import { looseStem } from "../../words/stem.js";
import { stopWords } from "../../words/word-lists.js";
import { contentStems } from "../../words/word-weight.js";
import { wordsOf } from "../../words/words.js";
import { similarTasks as weights } from "../weights.js";

/** The stems of a text, each with the weight of its best position: the first line counts most. */
export type TermPositions = ReadonlyMap<string, number>;

export function termPositions(text: string): TermPositions {
  const body = withoutComments(text.slice(0, weights.readLength * 2)).trim();
  const lineEnd = body.indexOf("\n");
  const firstLine = lineEnd === -1 ? body : body.slice(0, lineEnd);
  const others = body.slice(firstLine.length);
  const positions = new Map<string, number>();
  const put = (part: string, weight: number) => {
    for (const word of stemsOf(part)) positions.set(word, Math.max(weight, positions.get(word) ?? 0));
  };
  put(others.slice(tellingLength, weights.readLength), weights.position.rest);
  put(others.slice(0, tellingLength), weights.position.opening);
  put(firstLine, weights.position.firstLine);
  return positions;
}

/** The stems with others added, each list with its weight; a stem counts with its highest. */
export function withStems(
  positions: TermPositions,
  others: Iterable<readonly [stems: readonly string[], weight: number]>,
): TermPositions {
  const all = new Map(positions);
  for (const [stems, weight] of others)
    for (const word of stems) all.set(word, Math.max(weight, all.get(word) ?? 0));
  return all;
}

/** The stems of a path: folders, file name and its parts, without the extension. Each path is looked at several times. */
export const wordsOfPath = memoize((path): readonly string[] => {
  const extension = /\.([A-Za-z0-9]{1,5})$/.exec(path)?.[1]?.toLowerCase();
  const [whole, ...parts] = wordsOf(path);
  const words = parts.length === 0 && whole !== undefined ? [whole] : parts;
  return words.filter((word) => word !== extension && !stopWords.has(word)).map(looseStem);
});

export function stemsOf(text: string): string[] {
  return contentStems(text, { longest: weights.longestWord });
}

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
