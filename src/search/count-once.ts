import type { LexicalIndex } from "../store/lexical-index.js";

/** An index that is asked for the same word only once, for the time of one question. */
export function countOnce(lexical: LexicalIndex): LexicalIndex {
  const known = new Map<string, { count: number; limit: number }>();
  return {
    ...lexical,
    async countHolding(kind, word, limit) {
      const before = known.get(`${kind} ${word}`);
      if (before !== undefined && (before.count < before.limit || limit <= before.limit))
        return Math.min(before.count, limit);
      const count = await lexical.countHolding(kind, word, limit);
      known.set(`${kind} ${word}`, { count, limit });
      return count;
    },
  };
}
