import { rounded } from "../domain/rounded.js";
import type { ScoreParts } from "./candidate.js";

/** What speaks for a record, each from 0 to 1; evidence from -1 to 1. */
export interface Signals {
  /** How much of the question it answers. */
  text: number;
  /** How good it is, whatever is asked: confidence, task type, success, recency. */
  prior: number;
  /** Whether it names one of the errors at hand. */
  errors?: number;
  /** Whether it speaks of one of the files at hand. */
  files?: number;
  /** How much better tasks went with it than without. */
  evidence?: number;
  /** How much of the files it speaks of changed since. */
  stale?: number;
}

const weights: Readonly<Record<keyof Signals, number>> = {
  text: 0.5,
  prior: 0.3,
  errors: 0.15,
  files: 0.05,
  evidence: 0.2,
  stale: -0.3,
};

export function scoreOf(signals: Signals): { score: number; parts: ScoreParts } {
  const parts: Record<string, number> = {};
  let score = 0;
  for (const [name, weight] of Object.entries(weights)) {
    const value = signals[name as keyof Signals];
    if (value === undefined || value === 0) continue;
    parts[name] = rounded(weight * value);
    score += weight * value;
  }
  return { score: rounded(score), parts };
}
