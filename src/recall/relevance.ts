import type { Question } from "../search/question.js";
import { asIndexed, withoutAccents } from "../words/stem.js";
import { isGenericWord } from "../words/word-lists.js";
import { wordWeight, wordWeights } from "../words/word-weight.js";
import { wordsOf } from "../words/words.js";
import { relevance } from "./weights.js";

/** The share of the question that a text covers, from 0 to 1, each word by how much it says. */
export type Coverage = (text: string) => number;

/** Coverage of several questions together. */
export function makeCoverage(questions: readonly Question[]): Coverage {
  const asked = new Map<string, number>();
  for (const { word, weight } of questions.flatMap(({ words }) => words))
    if (weight > 0) asked.set(asIndexed(word), asked.get(asIndexed(word)) ?? weightOf(word));
  const all = [...asked.values()].reduce((sum, weight) => sum + weight, 0);
  return (text) => {
    const words = wordsOf(withoutAccents(text)).flatMap((word) => [word, word.replace(/\d+$/, "")]);
    const shared = [...new Set(words.map(asIndexed))].reduce((sum, word) => sum + (asked.get(word) ?? 0), 0);
    return all === 0 ? 0 : shared / all;
  };
}

/** Fillers count no more than generic words. */
function weightOf(word: string): number {
  return isGenericWord(word) ? Math.min(wordWeights.generic, wordWeight(word)) : wordWeight(word);
}

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

/**
 * Makes the scores of one search comparable with other searches and kinds: how much of the question the best text covers,
 * times each hit's share of the best score. Of hits by meaning, the first need not share a word.
 */
export function toRelevance<Item>(
  coverage: Coverage,
  hits: readonly Found<Item>[],
  { isByMeaning = false }: { isByMeaning?: boolean } = {},
): Relevant<Item>[] {
  const bestCoverage = Math.max(0, ...hits.map(({ text }) => coverage(text)));
  const bestScore = Math.max(0, ...hits.map(({ score }) => score));
  const byWords = Math.sqrt(Math.min(1, bestCoverage / relevance.fullCoverage));
  const level = isByMeaning ? Math.max(byWords, relevance.leastByMeaning) : byWords;
  // Hits without scores, such as the newest with a frequent word, are equal.
  const ofBest = (score: number) => (bestScore === 0 ? 1 : score / bestScore);
  return hits
    .filter(
      ({ score }, place) =>
        (isByMeaning && place < relevance.trustedByMeaning) ||
        (level > 0 && ofBest(score) >= relevance.leastOfBestScore),
    )
    .map(({ item, score }) => ({ item, relevance: level * ofBest(score) }));
}
