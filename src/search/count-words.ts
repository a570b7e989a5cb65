import type { LexicalIndex, SearchKind } from "../store/lexical-index.js";
import type { QuestionWord } from "./question.js";

/** A word in more records than this is frequent. */
export const rareAtMost = 800;
/** A name in this few records is what the question is about. */
export const fewRecords = 10;

export interface CountedWord extends QuestionWord {
  /** How many records hold it, up to the limit of the count. */
  count: number;
}

/** Words with how many records hold them, counted up to a limit. */
export async function countWords<Word extends { word: string }>(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly Word[],
  limit: number,
): Promise<(Word & { count: number })[]> {
  const counts = await lexical.countHolding(
    kind,
    words.map(({ word }) => word),
    limit,
  );
  return words.map((word, place) => ({ ...word, count: counts[place] ?? 0 }));
}
