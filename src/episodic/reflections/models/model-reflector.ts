import type { ReflectionCost } from "../../../domain/tasks/reflection.js";
import type { Happening, Thought } from "../happening.js";

/** A model that writes reflections. It may fail or be slow; the rules have written one by then. */
export interface ModelReflector {
  name: "agent" | "openai";
  /** How many reflections it may write for one task. */
  maxCalls: number;
  think(happening: Happening): Promise<ModelThought>;
}

export interface ModelThought {
  thought: Thought;
  cost: ReflectionCost;
}
