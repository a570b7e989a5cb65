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

/** Words with how many records hold them, counted up to a limit; in a large index estimated beyond it. */
export async function countWords<Word extends { word: string }>(
  lexical: LexicalIndex,
  words: readonly Word[],
  { kind, limit, isLarge }: { kind: SearchKind; limit: number; isLarge: boolean },
): Promise<(Word & { count: number })[]> {
  const texts = words.map(({ word }) => word);
  const counts = isLarge
    ? await lexical.estimateHolding(kind, texts, rareAtMost)
    : await lexical.countHolding(kind, texts, limit);
  return words.map((word, place) => ({ ...word, count: counts[place] ?? 0 }));
}
