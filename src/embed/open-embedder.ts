import { RalphError } from "../domain/ralph-error.js";
import type { Embedder } from "./embedder.js";
import { defaultMinilmModel, defaultOpenaiModel, embedderName } from "./embedder-name.js";
import { type Expectations, withExpectedDimensions } from "./expectations.js";

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
