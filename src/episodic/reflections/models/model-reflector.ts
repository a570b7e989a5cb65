import type { ReflectionCost } from "../../../domain/tasks/reflection.js";
import type { ReflectionText, WorkReport } from "../work-report.js";

/** A model that writes reflections. It may fail or be slow; the rules have written one by then. */
export interface ModelReflector {
  name: "agent" | "openai";
  /** How many reflections it may write for one task. */
  maxCalls: number;
  reflect(report: WorkReport): Promise<ModelReflection>;
}

export interface ModelReflection {
  text: ReflectionText;
  cost: ReflectionCost;
}
