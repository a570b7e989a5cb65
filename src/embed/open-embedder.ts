import { RalphError } from "../domain/ralph-error.js";
import {
  defaultMinilmModel,
  defaultOpenaiModel,
  type Embedder,
  embedderName,
  isSameModel,
  modelOf,
} from "./embedder.js";

/** Which embedder to use, and its options. */
export interface EmbedderChoice {
  use: "minilm" | "openai" | "use-lite" | "static";
  path: string | undefined;
  address: string;
  /** Defaults to the embedder's own. */
  model: string | undefined;
  key: string | undefined;
  batch: number;
  expected: Expectations;
  /** Where to look for optional packages. */
  folders: readonly string[];
  /** Folder for downloaded models. */
  downloads: string;
}

/** Whether an embedder can be opened without a download. */
export async function isAvailableOffline(choice: EmbedderChoice): Promise<boolean> {
  if (choice.use !== "minilm" || choice.path !== undefined) return true;
  return (await import("./minilm.js")).isDownloaded({ ...choice, model: choice.model ?? defaultMinilmModel });
}

/** Loads an embedder; its code, package and model are loaded only here. */
export async function openEmbedder(choice: EmbedderChoice): Promise<Embedder> {
  return withExpectedDimensions(await load(choice), choice.expected);
}

async function load(choice: EmbedderChoice): Promise<Embedder> {
  const name = embedderName(choice);
  switch (choice.use) {
    case "minilm": {
      const { openMinilm } = await import("./minilm.js");
      return openMinilm({ ...choice, name, model: choice.model ?? defaultMinilmModel });
    }
    case "openai": {
      const { openOpenai } = await import("./openai.js");
      return openOpenai({ ...choice, name, model: choice.model ?? defaultOpenaiModel });
    }
    case "use-lite":
      return (await import("./use-lite.js")).openUseLite({ ...choice, name });
    case "static": {
      if (choice.path === undefined) {
        throw new RalphError("invalid-settings", "The static embedder needs a word vector file", {
          hint: "set embedder.path",
        });
      }
      return (await import("./static-table.js")).openStaticTable({ name, path: choice.path });
    }
  }
}

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
function withExpectedDimensions(embedder: Embedder, { dimensions }: Expectations): Embedder {
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
