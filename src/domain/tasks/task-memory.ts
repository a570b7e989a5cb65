import type { Effectiveness, ReflectionType } from "./reflection.js";

/** What similar tasks can learn from a task; field names follow the published cross-task learning schema. */
export interface TaskMemory {
  /** The task's UUID. */
  task_id: string;
  task_description: string;
  task_type?: string;
  timestamp: string;
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

export const taskMemoryReflectionTypes: Readonly<Record<ReflectionType, TaskMemoryReflection["type"]>> = {
  "error-analysis": "error_analysis",
  "success-pattern": "success_pattern",
  "process-improvement": "strategy_change",
  "constraint-discovery": "constraint_discovery",
};
