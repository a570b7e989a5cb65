import { tellingLength } from "../../search/question.js";
import { withoutComments } from "../../text/markdown/without-comments.js";
import { memoize } from "../../text/memoize.js";
import { looseStem } from "../../words/stem.js";
import { backgroundShare } from "../../words/word-frequencies.js";
import { stopWords } from "../../words/word-lists.js";
import { contentStems } from "../../words/word-weight.js";
import { isName, wordsOf } from "../../words/words.js";
import { similarTasks as weights } from "../weights.js";

/** The stems of a text, each with the weight of its best position: the first line counts most. */
export type TermPositions = ReadonlyMap<string, number>;

export function termPositions(text: string): TermPositions {
  const body = withoutComments(text.slice(0, weights.readLength * 2)).trim();
  const [firstLine = ""] = body.split("\n", 1);
  const others = body.slice(firstLine.length);
  const { position } = weights;
  return withStems(new Map(), [
    [stemsOf(firstLine), position.firstLine],
    [stemsOf(others.slice(0, tellingLength)), position.opening],
    [stemsOf(others.slice(tellingLength, weights.readLength)), position.rest],
  ]);
}

/** Adds stems, each list with its weight; a stem counts with its highest. */
export function withStems(
  positions: TermPositions,
  others: Iterable<readonly [stems: readonly string[], weight: number]>,
): TermPositions {
  const all = new Map(positions);
  for (const [stems, weight] of others)
    for (const word of stems) all.set(word, Math.max(weight, all.get(word) ?? 0));
  return all;
}

/** The stems of a path: folders, file name and its parts, without the extension. */
export const wordsOfPath = memoize((path): readonly string[] => {
  const extension = /\.([A-Za-z0-9]{1,5})$/.exec(path)?.[1]?.toLowerCase();
  const [whole, ...parts] = wordsOf(path);
  const words = parts.length === 0 && whole !== undefined ? [whole] : parts;
  return words.filter((word) => word !== extension && !stopWords.has(word)).map(looseStem);
});

export function stemsOf(text: string): string[] {
  return contentStems(text, { longest: weights.longestWord });
}

/**
 * The first line of an objective with a placeholder for each name and number, such as "implement get * endpoint"; undefined if it
 * has none, or says little else.
 */
export function sentencePattern(text: string): string | undefined {
  const [line = ""] = text.trim().split("\n", 1);
  const parts = line
    .split(/\s+/)
    .map((token) => token.replace(/^[("'`[]+|[)"'`\],.;:!?]+$/g, ""))
    .filter((word) => word !== "" && !stopWords.has(word.toLowerCase()))
    .map((word) => (isName(word) || /\d/.test(word) ? "*" : looseStem(word.toLowerCase())));
  const said = parts.filter((part) => part !== "*").length;
  return said < parts.length && said >= weights.leastPattern ? parts.join(" ") : undefined;
}

/** How specific a stem is: from 0, for one in every text, to `mostTermWeight`. */
export type TermWeight = (word: string) => number;

/** How many of the store's records contain each stem. */
export interface Counted {
  holding: ReadonlyMap<string, number>;
  records: number;
}

/** Inverse document frequency in the store, else among the candidates, blended with that of texts about software. */
export function makeTermWeight(
  candidates: readonly {
    record: { counts: TermPositions };
    positions: TermPositions;
    files: readonly string[];
  }[],
  counted: Counted,
): TermWeight {
  const holding = new Map<string, number>();
  for (const { record, positions, files } of candidates)
    for (const word of new Set([...record.counts.keys(), ...positions.keys(), ...files.flatMap(wordsOfPath)]))
      holding.set(word, (holding.get(word) ?? 0) + 1);
  return memoize((word) => {
    const isCounted = counted.holding.has(word);
    // The question counts as one text with the word.
    const here = Math.max(1, (isCounted ? counted.holding : holding).get(word) ?? 1);
    const all = Math.max(1, isCounted ? counted.records : candidates.length);
    const share = (weights.backgroundTexts * backgroundShare(word) + here) / (weights.backgroundTexts + all);
    return Math.min(weights.mostTermWeight, Math.max(0, -Math.log(share)));
  });
}

/** How specific a stem is in texts about software, whatever the store has. */
export function backgroundWeight(word: string): number {
  return Math.min(weights.mostTermWeight, -Math.log(backgroundShare(word)));
}

/** The weighted share of words that a text contains. */
export function coveredShare(words: Iterable<string>, text: TermPositions, weightOf: TermWeight): number {
  let all = 0;
  let covered = 0;
  for (const word of words) {
    all += weightOf(word);
    covered += weightOf(word) * Math.sqrt(text.get(word) ?? 0);
  }
  return all === 0 ? 0 : covered / all;
}
