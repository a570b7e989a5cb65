import { monotonicMs } from "../../domain/monotonic-ms.js";
import type { LexicalIndex, SearchKind } from "../lexical-index.js";

/** A question asks several times how large the index is, and an estimate will do. */
const validMs = 1_000;

export interface RememberedSizes {
  lexical: LexicalIndex;
  /** After a change. */
  forget(): void;
}

/** An index whose sizes are known when the store is opened, and for a moment after each time they are asked for. */
export function rememberSizes(
  lexical: LexicalIndex,
  found: Partial<Record<SearchKind, number>>,
): RememberedSizes {
  const remembered = new Map<SearchKind, { size: Promise<number>; until: number }>();
  const remember = (kind: SearchKind, size: Promise<number>) => {
    remembered.set(kind, { size, until: monotonicMs() + validMs });
    size.catch(() => remembered.delete(kind));
    return size;
  };
  for (const kind of ["task", "learning"] as const) remember(kind, Promise.resolve(found[kind] ?? 0));
  return {
    lexical: {
      ...lexical,
      estimateDocuments(kind) {
        const known = remembered.get(kind);
        if (known !== undefined && monotonicMs() < known.until) return known.size;
        return remember(kind, lexical.estimateDocuments(kind));
      },
    },
    forget: () => remembered.clear(),
  };
}
