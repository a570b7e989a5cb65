import { keyOfHit, type LexicalHit, type LexicalIndex, type LexicalQuery } from "../store/lexical-index.js";
import { wordsOf } from "../words/words.js";
import type { Question } from "./question.js";

/** A question of more words is answered by what is about them, not by what repeats them. */
const mostWords = 4;
/** Records that hold the phrase by the stems of its words; the newest of more are looked at. */
const mostPhrased = 1000;
/** With more records that hold the very words, only those come first that were found anyway. */
const mostWritten = 10;

/** Of some hits, those whose text holds words in a row, as they are written but for capitals. */
export type FindWritten = (words: string, hits: readonly LexicalHit[]) => Promise<LexicalHit[]>;

interface ExactQuery extends Omit<LexicalQuery, "words"> {
  question: Question;
  findWritten?: FindWritten | undefined;
}

/**
 * The hits with the one record first that alone holds every word of a short question, or its very phrase, and with those that hold
 * the phrase as it is written where many hold its stems: whoever types two words of a note looks for that note, however many
 * others are about one of them.
 */
export async function exactFirst(
  lexical: LexicalIndex,
  query: ExactQuery,
  hits: LexicalHit[],
): Promise<LexicalHit[]> {
  const words = query.question.words.map(({ word }) => word);
  const [first] = hits;
  if (words.length < 2 || words.length > mostWords || first === undefined) return hits;
  const exact = await findExact(lexical, query, words);
  const places = new Map(hits.map((hit, place) => [keyOfHit(hit), place]));
  const known = exact.filter((hit) => places.has(keyOfHit(hit)));
  known.sort((one, other) => (places.get(keyOfHit(one)) ?? 0) - (places.get(keyOfHit(other)) ?? 0));
  const added = exact.length > mostWritten ? [] : exact.filter((hit) => !places.has(keyOfHit(hit)));
  const ahead = [...known, ...added].map((hit) => ({ ...hit, score: first.score }));
  const keys = new Set(ahead.map(keyOfHit));
  return [...ahead, ...hits.filter((hit) => !keys.has(keyOfHit(hit)))].slice(0, hits.length);
}

/** The only record that holds all words; of several, the only one that holds the phrase; of several, those with the very words. */
async function findExact(
  lexical: LexicalIndex,
  { question, findWritten, ...query }: ExactQuery,
  words: readonly string[],
): Promise<LexicalHit[]> {
  const find = (required: readonly string[], order: "any" | "newest", limit: number) =>
    lexical.search({
      ...{ ...query, words: required, order, limit },
      required: { groups: required.map((word) => [word]) },
    });
  const holders = await find(words, "any", 2);
  if (holders.length < 2) return holders;
  const phrase = wordsOf(question.text).join(" ");
  const phrased = await find([phrase], "any", 2);
  if (phrased.length < 2) return phrased;
  return (await findWritten?.(asWritten(question.text), await find([phrase], "newest", mostPhrased))) ?? [];
}

/** Without the quotation marks of somebody who wants the very phrase. */
function asWritten(text: string): string {
  return text
    .replaceAll(/["“”„«»`]/g, " ")
    .trim()
    .replaceAll(/\s+/g, " ")
    .replace(/[.?!]+$/, "");
}
