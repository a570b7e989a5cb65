import { keyOfHit, type LexicalHit, type LexicalIndex, type LexicalQuery } from "../store/lexical-index.js";
import { wordsOf } from "../words/words.js";
import type { Question } from "./question.js";

/** A question of more words is answered by what is about them, not by what repeats them. */
const mostWords = 3;

/**
 * The hits with the one record first that alone holds every word of a short question, or its very phrase: whoever types two words
 * of a note looks for that note, however many others are about one of them.
 */
export async function exactFirst(
  lexical: LexicalIndex,
  { question, ...query }: Omit<LexicalQuery, "words"> & { question: Question },
  hits: LexicalHit[],
): Promise<LexicalHit[]> {
  const words = question.words.map(({ word }) => word);
  const [first] = hits;
  if (words.length < 2 || words.length > mostWords || first === undefined) return hits;
  const only = await findOnly(lexical, query, words, wordsOf(question.text).join(" "));
  if (only === undefined || keyOfHit(only) === keyOfHit(first)) return hits;
  const others = hits.filter((hit) => keyOfHit(hit) !== keyOfHit(only));
  return [{ ...only, score: first.score }, ...others].slice(0, hits.length);
}

/** The only record that holds all words; of several, the only one that holds the phrase. */
async function findOnly(
  lexical: LexicalIndex,
  query: Omit<LexicalQuery, "words">,
  words: readonly string[],
  phrase: string,
): Promise<LexicalHit | undefined> {
  const findTwo = (required: readonly string[]) =>
    lexical.search({
      ...query,
      words: required,
      required: { groups: required.map((word) => [word]) },
      order: "any",
      limit: 2,
    });
  const holders = await findTwo(words);
  const [only, another] = holders.length < 2 ? holders : await findTwo([phrase]);
  return another === undefined ? only : undefined;
}
