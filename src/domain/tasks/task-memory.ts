import type { Effectiveness, ReflectionType } from "./reflection.js";

/** What similar tasks can learn from a task; field names follow the published cross-task learning schema. */
export interface TaskMemory {
  /** The task's UUID. */
  task_id: string;
  task_description: string;
  task_type?: string;
  timestamp: string;
  /** Only in an export: the file with its vector, relative to the folder of the index. */
  embedding_path?: string;
  outcome?: "success" | "partial" | "failure";
  iterations: number;
  final_quality?: number;
  reflections: TaskMemoryReflection[];
  key_learnings: string[];
  tags: string[];
}

export interface TaskMemoryReflection {
  /** Numbered across all attempts. */
  iteration?: number;
  content: string;
  type: "error_analysis" | "success_pattern" | "strategy_change" | "constraint_discovery";
  effectiveness?: Effectiveness;
}

/** The vector of a task and the model that made it. */
export interface TaskVector {
  model: string;
  dimensions: number;
  /** Of length 1. */
  embedding: number[];
}

export const taskMemoryReflectionTypes: Readonly<Record<ReflectionType, TaskMemoryReflection["type"]>> = {
  "error-analysis": "error_analysis",
  "success-pattern": "success_pattern",
  "process-improvement": "strategy_change",
  "constraint-discovery": "constraint_discovery",
};
