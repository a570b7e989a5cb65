import type { Coverage } from "./coverage.js";
import { relevance } from "./weights.js";

/** A record that a search found. */
export interface Found<Item> {
  item: Item;
  /** What is compared with the question. */
  text: string;
  /** The search's score. */
  score: number;
}

export interface Relevant<Item> {
  item: Item;
  /** How well it answers the question, from 0 to 1. */
  relevance: number;
}

export interface RelevanceOptions {
  /** Found by vectors too: the first hits may share no word. */
  isByMeaning?: boolean;
  /** Hits that cover less than this share of the best hit's coverage are dropped. */
  leastOfBestCoverage?: number;
}

/**
 * Makes the scores of one search comparable with other searches and kinds: how much of the question the best text covers,
 * times each hit's share of the best score.
 */
export function toRelevance<Item>(
  coverage: Coverage,
  hits: readonly Found<Item>[],
  { isByMeaning = false, leastOfBestCoverage = 0 }: RelevanceOptions = {},
): Relevant<Item>[] {
  const covered = hits.map(({ item, text, score }) => ({ item, score, share: coverage(text) }));
  const bestShare = Math.max(0, ...covered.map(({ share }) => share));
  const bestScore = Math.max(0, ...covered.map(({ score }) => score));
  const byWords = Math.sqrt(Math.min(1, bestShare / relevance.fullCoverage));
  const level = isByMeaning ? Math.max(byWords, relevance.leastByMeaning) : byWords;
  // Hits without scores, such as the newest with a frequent word, are equal.
  const ofBest = (score: number) => (bestScore === 0 ? 1 : score / bestScore);
  return covered
    .filter(
      ({ share, score }, place) =>
        (isByMeaning && place < relevance.trustedByMeaning) ||
        (level > 0 &&
          ofBest(score) >= relevance.leastOfBestScore &&
          (leastOfBestCoverage === 0 || (share > 0 && share >= bestShare * leastOfBestCoverage))),
    )
    .map(({ item, score }) => ({ item, relevance: level * ofBest(score) }));
}
