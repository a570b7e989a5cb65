import type { EmbedderChoice } from "./open-embedder.js";

export const defaultMinilmModel = "Xenova/all-MiniLM-L6-v2";
export const defaultOpenaiModel = "text-embedding-3-small";

/** Stored with every vector: vectors of different models cannot be compared. */
export function embedderName({ use, path, model }: EmbedderChoice): string {
  switch (use) {
    case "minilm":
      return `minilm ${path === undefined ? (model ?? defaultMinilmModel) : lastSegment(path)}`;
    case "openai":
      return `openai ${model ?? defaultOpenaiModel}`;
    case "use-lite":
      return "use-lite en 0.2.0";
    case "static":
      return `static ${lastSegment(path ?? "")}`;
  }
}

function lastSegment(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}
