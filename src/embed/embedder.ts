import type { EmbedderChoice } from "./open-embedder.js";

/** Turns texts into vectors; the smaller the angle between two, the closer their meanings. */
export interface Embedder {
  /** Identifies the model: vectors of different models cannot be compared. */
  readonly model: string;
  /** Length of each vector; 0 until a server has answered. */
  readonly dimensions: number;
  /** One vector per text, in the same order. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  close?(): Promise<void>;
}

export interface EmbedOptions {
  /** Somebody is waiting: no retries and a short timeout. */
  isUrgent?: boolean;
}

/** Publishes the common models in a form that JavaScript can load. */
const packager = "Xenova";
export const defaultMinilmModel = `${packager}/all-MiniLM-L6-v2`;
export const defaultOpenaiModel = "text-embedding-3-small";

/** Stored with every vector: vectors of different models cannot be compared. */
export function embedderName(choice: EmbedderChoice): string {
  return choice.use === "use-lite" ? "use-lite en 0.2.0" : `${choice.use} ${modelOf(choice)}`;
}

/** The chosen model, or the default one. */
export function modelOf({ use, path, model }: EmbedderChoice): string {
  switch (use) {
    case "minilm":
      return path === undefined ? (model ?? defaultMinilmModel) : lastSegment(path);
    case "openai":
      return model ?? defaultOpenaiModel;
    case "use-lite":
      return "use-lite";
    case "static":
      return lastSegment(path ?? "");
  }
}

/** The full package name of a sentence model. */
export function minilmNamed(model: string): string {
  return model.includes("/") ? model : `${packager}/${model}`;
}

/** Whether two names mean the same model, whoever published it. */
export function isSameModel(one: string, other: string): boolean {
  return lastSegment(one).toLowerCase() === lastSegment(other).toLowerCase();
}

function lastSegment(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}
