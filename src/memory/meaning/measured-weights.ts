import type { EmbedderChoice } from "../../embed/open-embedder.js";

/**
 * What meaning counts beside words: the weight at which each embedder won most over words alone, and lost nowhere. The two
 * that could not be measured take the same. See docs/decisions/0011-embedders.md.
 */
export const measuredWeights: Readonly<Record<EmbedderChoice["use"], number>> = {
  minilm: 0.2,
  openai: 0.2,
  "use-lite": 0.2,
  static: 0.2,
};
