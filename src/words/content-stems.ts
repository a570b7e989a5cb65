import { unique } from "../text/unique.js";
import { looseStem } from "./loose-stem.js";
import { stopWords } from "./stop-words.js";
import { wordsOf } from "./words.js";

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
