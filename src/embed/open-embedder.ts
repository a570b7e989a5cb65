import { RalphError } from "../domain/ralph-error.js";
import type { Embedder } from "./embedder.js";
import { embedderName, usualMinilm, usualOpenai } from "./embedder-name.js";

/** Which embedder, and what it needs. */
export interface EmbedderChoice {
  use: "minilm" | "openai" | "use-lite" | "static";
  path: string | undefined;
  address: string;
  /** The embedder's usual one where none is given. */
  model: string | undefined;
  key: string | undefined;
  batch: number;
  /** Where optional packages are looked for. */
  folders: readonly string[];
  /** Where downloaded models are kept. */
  downloads: string;
}

/** Whether an embedder can be opened without a download. */
export async function isAtHand(choice: EmbedderChoice): Promise<boolean> {
  if (choice.use !== "minilm" || choice.path !== undefined) return true;
  return (await import("./minilm.js")).isDownloaded({ ...choice, model: choice.model ?? usualMinilm });
}

/** Loads an embedder; its code, its package and its model are not touched before. */
export async function openEmbedder(choice: EmbedderChoice): Promise<Embedder> {
  const name = embedderName(choice);
  switch (choice.use) {
    case "minilm": {
      const { openMinilm } = await import("./minilm.js");
      return openMinilm({ ...choice, name, model: choice.model ?? usualMinilm });
    }
    case "openai": {
      const { openOpenai } = await import("./openai.js");
      return openOpenai({ ...choice, name, model: choice.model ?? usualOpenai });
    }
    case "use-lite":
      return (await import("./use-lite.js")).openUseLite({ ...choice, name });
    case "static": {
      if (choice.path === undefined) {
        throw new RalphError("invalid-settings", "A static embedder needs a table of word vectors", {
          hint: "set embedder.path to its file",
        });
      }
      return (await import("./static-table.js")).openStaticTable({ name, path: choice.path });
    }
  }
}
