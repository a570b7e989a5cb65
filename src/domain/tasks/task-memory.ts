import type { Effectiveness, ReflectionType } from "./reflection.js";

/** What one task leaves to similar ones; fields are named as in the published schema of cross-task learning. */
export interface TaskMemory {
  /** The task's UUID. */
  task_id: string;
  task_description: string;
  task_type?: string;
  timestamp: string;
  outcome?: "success" | "partial" | "failure";
  iterations: number;
  final_quality?: number;
  reflections: RememberedReflection[];
  key_learnings: string[];
  tags: string[];
}

export interface RememberedReflection {
  /** Counted over all attempts. */
  iteration?: number;
  content: string;
  type: "error_analysis" | "success_pattern" | "strategy_change" | "constraint_discovery";
  effectiveness?: Effectiveness;
}

export const rememberedTypes: Readonly<Record<ReflectionType, RememberedReflection["type"]>> = {
  "error-analysis": "error_analysis",
  "success-pattern": "success_pattern",
  "process-improvement": "strategy_change",
  "constraint-discovery": "constraint_discovery",
};
