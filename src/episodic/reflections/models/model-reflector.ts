import type { ReflectionCost } from "../../../domain/tasks/reflection.js";
import type { ReflectionText, WorkReport } from "../work-report.js";

/** A model that writes reflections. It may fail or be slow: by then the rules have written one. */
export interface ModelReflector {
  name: "agent" | "openai";
  /** Reflections it may write per task. */
  maxCalls: number;
  reflect(report: WorkReport): Promise<ModelReflection>;
}

export interface ModelReflection {
  text: ReflectionText;
  cost: ReflectionCost;
}
