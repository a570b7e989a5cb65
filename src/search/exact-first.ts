import { keyOfHit, type LexicalHit, type LexicalIndex, type LexicalQuery } from "../store/lexical-index.js";
import { wordsOf } from "../words/words.js";
import type { Question } from "./question.js";

/** A question of more words is answered by what is about them, not by what repeats them. */
const mostWords = 4;

/**
 * The hits with the one record first that alone holds every word of a short question, or its very phrase: a user who types two
 * words of a note looks for that note, however many others are about one of them.
 */
export async function exactFirst(
  lexical: LexicalIndex,
  { question, ...query }: Omit<LexicalQuery, "words"> & { question: Question },
  hits: LexicalHit[],
): Promise<LexicalHit[]> {
  const words = question.words.map(({ word }) => word);
  const [first] = hits;
  if (words.length < 2 || words.length > mostWords || first === undefined) return hits;
  const findTwo = (required: readonly string[]) =>
    lexical.search({
      ...{ ...query, words: required, order: "any", limit: 2 },
      required: { groups: required.map((word) => [word]) },
    });
  const holders = await findTwo(words);
  const [exact, another] = holders.length < 2 ? holders : await findTwo([wordsOf(question.text).join(" ")]);
  if (exact === undefined || another !== undefined) return hits;
  const others = hits.filter((hit) => keyOfHit(hit) !== keyOfHit(exact));
  return [{ ...exact, score: first.score }, ...others].slice(0, hits.length);
}
