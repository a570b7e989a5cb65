import type { EmbedderChoice } from "./open-embedder.js";

export const usualMinilm = "Xenova/all-MiniLM-L6-v2";
export const usualOpenai = "text-embedding-3-small";

/** What vectors of this choice are marked with: those of two models cannot be compared. */
export function embedderName({ use, path, model }: EmbedderChoice): string {
  switch (use) {
    case "minilm":
      return `minilm ${path === undefined ? (model ?? usualMinilm) : lastPart(path)}`;
    case "openai":
      return `openai ${model ?? usualOpenai}`;
    case "use-lite":
      return "use-lite en 0.2.0";
    case "static":
      return `static ${lastPart(path ?? "")}`;
  }
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}
