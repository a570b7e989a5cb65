import type { LexicalIndex } from "../store/lexical-index.js";

/** An index that counts each word only once; for the time of one question. */
export function cacheCounts(lexical: LexicalIndex): LexicalIndex {
  const known = new Map<string, { count: number; limit: number }>();
  return {
    ...lexical,
    async countHolding(kind, words, limit) {
      const keyOf = (word: string) => `${kind} ${word}`;
      const isEnough = (word: string) => {
        const before = known.get(keyOf(word));
        return before !== undefined && (before.count < before.limit || limit <= before.limit);
      };
      const asked = words.filter((word) => !isEnough(word));
      const counts = await lexical.countHolding(kind, asked, limit);
      for (const [place, word] of asked.entries())
        known.set(keyOf(word), { count: counts[place] ?? 0, limit });
      return words.map((word) => Math.min(known.get(keyOf(word))?.count ?? 0, limit));
    },
  };
}
