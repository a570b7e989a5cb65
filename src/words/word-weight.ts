import { isCommonWord } from "../text/tokens/common-words.js";
import { unique } from "../text/unique.js";
import { looseStem } from "./stem.js";
import { generic, guidance, stopWords } from "./word-lists.js";
import { wordsOf } from "./words.js";

/** How much a word says about the topic of a text; texts and questions use the same integer weights. */
export const wordWeights = { guidance: 2, generic: 5, limit: 5, common: 10, rare: 14 } as const;

export function wordWeight(word: string): number {
  if (/\d/.test(word)) return wordWeights.common;
  if (guidance.has(word)) return wordWeights.guidance;
  if (generic.has(word)) return wordWeights.generic;
  return isCommonWord(word) || isCommonWord(looseStem(word)) ? wordWeights.common : wordWeights.rare;
}

/** The stems of the words that say something: no stop words, and no numbers of steps or tickets. */
export function contentStems(
  text: string,
  { shortest = 1, longest = Number.POSITIVE_INFINITY }: { shortest?: number; longest?: number } = {},
): string[] {
  return unique(wordsOf(text))
    .filter(
      (word) =>
        word.length >= shortest &&
        word.length <= longest &&
        !stopWords.has(word) &&
        !(word.length <= 2 && /^\d+$/.test(word)),
    )
    .map(looseStem);
}
