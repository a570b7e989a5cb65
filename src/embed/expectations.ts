import { RalphError } from "../domain/ralph-error.js";
import type { Embedder } from "./embedder.js";
import { isSameModel, modelOf } from "./embedder-name.js";
import type { EmbedderChoice } from "./open-embedder.js";

/** What cross-task learning names; undefined where it leaves the choice to the embedder. */
export interface Expectations {
  model: string | undefined;
  dimensions: number | undefined;
}

/** Vectors of another model than the one that is named would be taken for its own. */
export function checkModel(choice: EmbedderChoice): void {
  const { model } = choice.expected;
  if (model === undefined || isSameModel(model, modelOf(choice))) return;
  throw new RalphError(
    "invalid-settings",
    `cross_task_learning.embedding.model is ${model}, but the embedder's model is ${modelOf(choice)}`,
    { hint: "name the same one, or leave out one of them" },
  );
}

/** The same embedder, which refuses vectors of other dimensions than those that are named. */
export function withExpectedDimensions(embedder: Embedder, { dimensions }: Expectations): Embedder {
  if (dimensions === undefined) return embedder;
  return {
    model: embedder.model,
    get dimensions() {
      return embedder.dimensions;
    },
    async embed(texts, options) {
      const vectors = await embedder.embed(texts, options);
      const other = vectors.find(({ length }) => length !== dimensions);
      if (other !== undefined) throw otherDimensions(embedder.model, other.length, dimensions);
      return vectors;
    },
    close: async () => embedder.close?.(),
  };
}

function otherDimensions(model: string, found: number, named: number): RalphError {
  return new RalphError(
    "invalid-settings",
    `The vectors of ${model} have ${found} dimensions, not ${named} as cross_task_learning.embedding says`,
    { hint: `set cross_task_learning.embedding.dimensions to ${found}, or leave it out` },
  );
}
