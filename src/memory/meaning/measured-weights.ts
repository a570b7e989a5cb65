import type { EmbedderChoice } from "../../embed/open-embedder.js";

/** What meaning counts beside words, for each embedder: see docs/decisions/0011-embedders.md. */
export const measuredWeights: Readonly<Record<EmbedderChoice["use"], number>> = {
  minilm: 0.3,
  openai: 0.3,
  "use-lite": 0.25,
  static: 0.15,
};
