import type { EmbedderChoice } from "../../../embed/open-embedder.js";

/**
 * The weight of vector hits beside word hits. Measured for USE-lite and static tables; the other two are assumed to be alike.
 * See docs/decisions/0011-embedders.md.
 */
export const embedderWeights: Readonly<Record<EmbedderChoice["use"], number>> = {
  minilm: 0.2,
  openai: 0.2,
  "use-lite": 0.2,
  static: 0.2,
};
