import { coverage, type Question } from "./question.js";

/** A place further down a ranking counts less. */
const placesToHalf = 6;
/** Sharing this much of a question is as good as sharing all of it. */
const fullCoverage = 0.6;
/** What shares less than this part of what the best one shares is there by chance. */
const leastOfBest = 0.25;

/** What was found by its meaning may share no word; so many of the first are believed, and count as this good. */
const trustedByMeaning = 4;
const leastByMeaning = 0.5;

export interface Judged<Item> {
  item: Item;
  /** How much of the question it answers, from 0 to 1. */
  relevance: number;
}

/** Turns a ranking into figures that can be compared with those of other rankings, without changing its order. */
export function judgeRanking<Item>(
  question: Question,
  ranking: readonly Item[],
  textOf: (item: Item) => string,
  isByMeaning = false,
): Judged<Item>[] {
  const covered = ranking.map((item) => ({ item, share: coverage(question, textOf(item)) }));
  const best = Math.max(0, ...covered.map(({ share }) => share));
  const byWords = Math.sqrt(Math.min(1, best / fullCoverage));
  const level = isByMeaning ? Math.max(byWords, leastByMeaning) : byWords;
  return covered
    .filter(
      ({ share }, place) =>
        (isByMeaning && place < trustedByMeaning) || (share > 0 && share >= best * leastOfBest),
    )
    .map(({ item }, place) => ({ item, relevance: (level * placesToHalf) / (placesToHalf + place) }));
}
