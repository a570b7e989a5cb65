import type { LexicalIndex, SearchKind } from "../lexical-index.js";

/** A question asks several times how large the index is, and an estimate will do. */
const validMs = 1_000;

export interface RememberedSizes {
  lexical: LexicalIndex;
  /** After a change: an index that was empty may not be any more. */
  forgetEmpty(): void;
}

/** An index whose sizes are known when the store is opened, and for a moment after each time they are asked for. */
export function rememberSizes(
  lexical: LexicalIndex,
  found: Partial<Record<SearchKind, number>>,
): RememberedSizes {
  const remembered = new Map<SearchKind, { size: number; until: number }>();
  const remember = (kind: SearchKind, size: number) => {
    remembered.set(kind, { size, until: performance.now() + validMs });
    return size;
  };
  for (const kind of ["task", "learning"] as const) remember(kind, found[kind] ?? 0);
  return {
    lexical: {
      ...lexical,
      async estimateDocuments(kind) {
        const known = remembered.get(kind);
        if (known !== undefined && performance.now() < known.until) return known.size;
        return remember(kind, await lexical.estimateDocuments(kind));
      },
    },
    forgetEmpty() {
      for (const [kind, { size }] of remembered) if (size === 0) remembered.delete(kind);
    },
  };
}
