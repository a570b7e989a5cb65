export const reflectionTypes = [
  "error-analysis",
  "success-pattern",
  "process-improvement",
  "constraint-discovery",
] as const;

export type ReflectionType = (typeof reflectionTypes)[number];

export const triggers = ["failure", "success", "timeout", "manual", "iteration"] as const;

export type Trigger = (typeof triggers)[number];

/** What happened, why, what to do differently, and what to do next. */
export interface Reflection {
  timestamp: string;
  task_id: string;
  attempt_id: number;
  iteration?: number;
  observation: string;
  analysis: string;
  learning: string;
  action_items: string[];
  triggered_by: Trigger;
  reflection_type: ReflectionType;
  effectiveness?: "helpful" | "neutral" | "unhelpful";
}
