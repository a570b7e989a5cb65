import { extractedTypes, type LearningType } from "../../domain/knowledge/learning.js";
import { isObject, isText } from "../../domain/shape.js";
import { isFraction } from "../is-fraction.js";
import { minConfidence } from "../learning-limits.js";

export type Validation = { valid: true } | { valid: false; reason: string };

/** Whether a learning of one of these types may be promoted, or the first reason against it, worded as published. */
export function validateLearning(
  value: unknown,
  types: readonly LearningType[] = extractedTypes,
): Validation {
  const reason = reasonAgainst(isObject(value) ? value : {}, types);
  return reason === undefined ? { valid: true } : { valid: false, reason };
}

function reasonAgainst(
  learning: Record<string, unknown>,
  types: readonly LearningType[],
): string | undefined {
  const { type, taskType, content, confidence, successRate } = learning;
  if (!isText(type) || !isText(taskType) || !isObject(content)) return "Missing required fields";
  if (!types.some((known) => known === type)) return `Invalid type: ${type}`;
  if (!isFraction(confidence)) return "Confidence must be between 0 and 1";
  if (!isFraction(successRate)) return "Success rate must be between 0 and 1";
  if (confidence < minConfidence) return `Confidence too low (< ${minConfidence})`;
  if (type === "antipattern" && successRate > 0.2) return "Anti-patterns should have low success rate";
  if (type === "strategy" && successRate < 0.5) return "Strategies should have success rate >= 0.5";
  return undefined;
}
