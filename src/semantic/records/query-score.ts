import type { Learning } from "../../domain/knowledge/learning.js";

type Scored = Pick<Learning, "type" | "confidence" | "successRate" | "useCount">;

/**
 * The score that queries rank by: confidence × success rate × log₁₀(uses + 1), as published. A learning that was never used
 * counts as used once, because log₁₀(1) = 0 would rank it last forever. Antipatterns, whose success rate is always 0, count
 * as 0.5.
 */
export function queryScore({ type, confidence, successRate, useCount }: Scored): number {
  const success = type === "antipattern" ? 0.5 : successRate;
  return confidence * success * Math.log10(Math.max(useCount, 1) + 1);
}
