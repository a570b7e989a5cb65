import { rounded } from "../domain/rounded.js";
import type { ScoreParts } from "./candidate.js";
import { signalWeights } from "./weights.js";

/** The inputs of a score, each from 0 to 1; evidence from -1 to 1. */
export interface Signals {
  /** How much of the question it answers. */
  text: number;
  /** Its quality regardless of the question: confidence, task type, success, recency. */
  prior: number;
  /** Whether it mentions a current error. */
  errors?: number;
  /** Whether it mentions a current file. */
  files?: number;
  /** How much better tasks went with it than without. */
  evidence?: number;
  /** The share of its files that have changed since. */
  stale?: number;
}

const weightedSignals = Object.entries(signalWeights);

export function scoreOf(signals: Signals): { score: number; parts: ScoreParts } {
  const parts: Record<string, number> = {};
  let score = 0;
  for (const [name, weight] of weightedSignals) {
    const value = signals[name as keyof Signals];
    if (value === undefined || value === 0) continue;
    parts[name] = rounded(weight * value);
    score += weight * value;
  }
  return { score: rounded(score), parts };
}
