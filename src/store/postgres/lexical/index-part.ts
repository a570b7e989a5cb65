import type { SearchKind } from "../../lexical-index.js";

/** One kind of document in one derivation: what a search reads, and what numbers are counted in. */
export interface IndexPart {
  version: number;
  kind: SearchKind;
}
