export const reflectionTypes = [
  "error-analysis",
  "success-pattern",
  "process-improvement",
  "constraint-discovery",
] as const;

export type ReflectionType = (typeof reflectionTypes)[number];

export const triggers = ["failure", "success", "timeout", "manual", "iteration"] as const;

export type Trigger = (typeof triggers)[number];

export const effectivenesses = ["helpful", "neutral", "unhelpful"] as const;

/** Whether what came after a reflection went better. */
export type Effectiveness = (typeof effectivenesses)[number];

export interface ReflectionCost {
  input_tokens: number;
  output_tokens: number;
  usd?: number;
}

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
  effectiveness?: Effectiveness;
  /** A person's word stands; an outcome's may change with the next one. */
  rated_by?: "person" | "outcome";
  written_by?: "rules" | "runner" | "person" | "agent" | "openai";
  /** What a model that wrote it used. */
  cost?: ReflectionCost;
}
