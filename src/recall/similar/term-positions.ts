import { tellingLength } from "../../search/shape-query.js";
import { withoutComments } from "../../text/markdown/without-comments.js";
import { memoize } from "../../text/memoize.js";
import { contentStems } from "../../words/content-stems.js";
import { looseStem } from "../../words/loose-stem.js";
import { stopWords } from "../../words/stop-words.js";
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
