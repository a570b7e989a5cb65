export const reflectionTypes = [
  "error-analysis",
  "success-pattern",
  "process-improvement",
  "constraint-discovery",
] as const;

export type ReflectionType = (typeof reflectionTypes)[number];

export const triggers = ["failure", "success", "timeout", "manual", "iteration"] as const;

export type Trigger = (typeof triggers)[number];

export const effectivenessRatings = ["helpful", "neutral", "unhelpful"] as const;

/** Whether things went better after a reflection. */
export type Effectiveness = (typeof effectivenessRatings)[number];

export interface ReflectionCost {
  input_tokens: number;
  output_tokens: number;
  usd?: number;
}

/** What happened, why, what to do differently, and what to do next. */
export interface Reflection {
  timestamp: string;
  task_id: string;
  /** 0 if it was written before the first attempt. */
  attempt_id: number;
  iteration?: number;
  observation: string;
  analysis: string;
  learning: string;
  action_items: string[];
  triggered_by: Trigger;
  reflection_type: ReflectionType;
  effectiveness?: Effectiveness;
  /** A person's rating is final; one based on an outcome may change with the next. */
  rated_by?: "person" | "outcome";
  written_by?: "rules" | "runner" | "person" | "agent" | "openai";
  /** What the model that wrote it cost. */
  cost?: ReflectionCost;
}

/** False if the rules only recorded the outcome, which helps no reader. */
export function saysSomething({
  analysis,
  learning,
  action_items: steps,
  written_by: author,
}: Reflection): boolean {
  return author !== "rules" || analysis !== "" || learning !== "" || steps.length > 0;
}

/** Heading for reflections written before the first attempt. */
export const earlyHeading = "Before any attempt";

/** What a reflection refers to, such as "on attempt 2" or "before any attempt". */
export function aboutAttempt(attemptId: number): string {
  return attemptId === 0 ? earlyHeading.toLowerCase() : `on attempt ${attemptId}`;
}
