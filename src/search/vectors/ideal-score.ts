import { type LexicalIndex, largeIndexFrom, type SearchKind } from "../../store/lexical-index.js";
import { rareAtMost } from "../count-words.js";

/** Expected BM25 score per unit of idf. */
const usualScore = 1.5;
/** Large index: words in more records than this share are ignored, rare ones count twice. */
const frequentShare = 0.05;

/** The least idf in BM25, for words in half of the records or more. */
const leastWeight = 1e-6;

/** The approximate BM25 score of a record that holds all of these words. */
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
