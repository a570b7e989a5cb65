import { isCommonWord } from "../../text/tokens/common-words.js";
import { generic, guidance } from "../generic-words.js";
import { looseStem } from "../loose-stem.js";

/** How much a word says about the topic of a text; texts and questions use the same integer weights. */
export const wordWeights = { guidance: 2, generic: 5, limit: 5, common: 10, rare: 14 } as const;

export function wordWeight(word: string): number {
  if (/\d/.test(word)) return wordWeights.common;
  if (guidance.has(word)) return wordWeights.guidance;
  if (generic.has(word)) return wordWeights.generic;
  return isCommonWord(word) || isCommonWord(looseStem(word)) ? wordWeights.common : wordWeights.rare;
}
