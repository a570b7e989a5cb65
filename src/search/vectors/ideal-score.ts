import { type LexicalIndex, largeIndexFrom, type SearchKind } from "../../store/lexical-index.js";
import { rareAtMost } from "../count-words.js";

/** A record of usual length that holds a word once, in a field that counts more, scores this much of what is in the word. */
const usualScore = 1.5;
/** Words in more records than this share tell next to nothing in a large index, where rare ones count twice. */
const frequentShare = 0.05;

/** What BM25 gives a word that is in half of the records or more: hardly anything, but not nothing. */
const leastWeight = 1e-6;

/** About the score of a record that holds all of these words, by the formula of BM25. */
export async function idealScore(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly string[],
): Promise<number> {
  const total = Math.max(1, await lexical.estimateDocuments(kind));
  const isLarge = total >= largeIndexFrom;
  const limit = isLarge ? Math.max(rareAtMost + 1, Math.ceil(total * frequentShare)) : total;
  const timesOf = (holding: number) => (isLarge && holding <= rareAtMost ? 2 : 1);
  const weights = (await lexical.countHolding(kind, words, limit)).map((holding) => ({
    weight: timesOf(holding) * Math.max(leastWeight, Math.log((total - holding + 0.5) / (holding + 0.5))),
    isFrequent: isLarge && holding >= limit,
  }));
  const rare = weights.filter(({ isFrequent }) => !isFrequent);
  const counted = rare.length > 0 ? rare : weights;
  return (
    Math.max(
      leastWeight,
      counted.reduce((sum, { weight }) => sum + weight, 0),
    ) * usualScore
  );
}
