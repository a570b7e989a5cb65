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

/** An index that is asked only once for the frequency of a word and for its size; for the time of one question. */
export function cacheCounts(lexical: LexicalIndex): LexicalIndex {
  const known = new Map<string, { count: number; isFinal: boolean; limit: number }>();
  const sizes = new Map<SearchKind, Promise<number>>();

  const cached =
    (count: LexicalIndex["countHolding"], isEstimate: boolean): LexicalIndex["countHolding"] =>
    async (kind, words, limit) => {
      const keyOf = (word: string) => `${kind} ${word}`;
      const isEnough = (word: string) => {
        const before = known.get(keyOf(word));
        return before !== undefined && (before.isFinal || (!isEstimate && limit <= before.limit));
      };
      const asked = words.filter((word) => !isEnough(word));
      const counts = asked.length === 0 ? [] : await count(kind, asked, limit);
      for (const [place, word] of asked.entries()) {
        const found = counts[place] ?? 0;
        known.set(keyOf(word), { count: found, isFinal: isEstimate || found < limit, limit });
      }
      return words.map((word) => {
        const found = known.get(keyOf(word))?.count ?? 0;
        return isEstimate ? found : Math.min(found, limit);
      });
    };

  return {
    ...lexical,
    countHolding: cached(lexical.countHolding, false),
    estimateHolding: cached(lexical.estimateHolding, true),
    estimateDocuments(kind) {
      const size = sizes.get(kind) ?? lexical.estimateDocuments(kind);
      sizes.set(kind, size);
      return size;
    },
  };
}
