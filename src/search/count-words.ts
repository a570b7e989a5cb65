import type { LexicalIndex, SearchKind } from "../store/lexical-index.js";
import type { QuestionWord } from "./question.js";

/** A word in more records than this is frequent. */
export const rareAtMost = 800;
/** A name in this few records is what the question is about. */
export const fewRecords = 10;

export interface CountedWord extends QuestionWord {
  /** How many records hold it, up to the limit of the count; of a large index, an estimate beyond it. */
  count: number;
}

/** Words with how many records hold them, counted up to a limit. */
export async function countWords<Word extends { word: string }>(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly Word[],
  limit: number,
): Promise<(Word & { count: number })[]> {
  return withCounts(words, await lexical.countHolding(kind, textsOf(words), limit));
}

/** Words with how many records hold them, estimated from a limit on. */
export async function estimateWords<Word extends { word: string }>(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly Word[],
  limit: number,
): Promise<(Word & { count: number })[]> {
  return withCounts(words, await lexical.estimateHolding(kind, textsOf(words), limit));
}

function textsOf(words: readonly { word: string }[]): string[] {
  return words.map(({ word }) => word);
}

function withCounts<Word>(words: readonly Word[], counts: readonly number[]): (Word & { count: number })[] {
  return words.map((word, place) => ({ ...word, count: counts[place] ?? 0 }));
}
