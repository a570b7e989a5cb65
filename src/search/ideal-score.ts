import type { LexicalIndex } from "../store/lexical-index.js";

/** A record of usual length that holds a word once, in a field that counts more, scores this much of what is in the word. */
const usualScore = 1.5;
/** Words in more records than this share tell nothing, and large indexes leave them out. */
const frequentShare = 0.05;
const largeIndex = 2000;

/** About the score of a record that holds all of these words, by the formula of BM25. */
export async function idealScore(lexical: LexicalIndex, words: readonly string[]): Promise<number> {
  const total = Math.max(1, await lexical.estimateDocuments());
  const limit = total < largeIndex ? total : Math.ceil(total * frequentShare);
  let sum = 0;
  for (const word of words) {
    const holding = await lexical.countHolding(word, limit);
    const isLeftOut = total >= largeIndex && holding >= limit;
    if (!isLeftOut) sum += Math.max(0, Math.log((total - holding + 0.5) / (holding + 0.5)));
  }
  return Math.max(1, sum) * usualScore;
}
