import type { EmbedderChoice } from "../../../embed/open-embedder.js";

/**
 * What meaning counts beside words. USE-lite and static tables were measured with this weight; the other two could not be, and
 * take the same. See docs/decisions/0011-embedders.md.
 */
export const embedderWeights: Readonly<Record<EmbedderChoice["use"], number>> = {
  minilm: 0.2,
  openai: 0.2,
  "use-lite": 0.2,
  static: 0.2,
};
