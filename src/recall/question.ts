import { bagOf, isTopic } from "../search/bag.js";
import { stem } from "../search/stem.js";
import { wordsOf } from "../search/words.js";

/** What is asked for: the stems of its telling words with their weights. */
export type Question = ReadonlyMap<string, number>;

const tellingLength = 500;

export function questionOf(text: string): Question {
  const weights = [...bagOf(text.slice(0, tellingLength)).weights].filter(([, weight]) => isTopic(weight));
  return new Map(weights.map(([word, weight]) => [word, Math.abs(weight)]));
}

/** The share of a question's words that a text has, by their weights, from 0 to 1. */
export function coverage(question: Question, text: string): number {
  const held = new Set(wordsOf(text).map(stem));
  let shared = 0;
  let total = 0;
  for (const [word, weight] of question) {
    total += weight;
    if (held.has(word)) shared += weight;
  }
  return total === 0 ? 0 : shared / total;
}

/** A place further down a ranking counts less. */
const placesToHalf = 6;
/** Sharing this much of a question is as good as sharing all of it. */
const fullCoverage = 0.6;
/** What shares less than this part of what the best one shares is there by chance. */
const leastOfBest = 0.25;

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
): Judged<Item>[] {
  const covered = ranking.map((item) => ({ item, share: coverage(question, textOf(item)) }));
  const best = Math.max(0, ...covered.map(({ share }) => share));
  const level = Math.sqrt(Math.min(1, best / fullCoverage));
  return covered
    .filter(({ share }) => share > 0 && share >= best * leastOfBest)
    .map(({ item }, place) => ({ item, relevance: (level * placesToHalf) / (placesToHalf + place) }));
}
