import type { LearningType } from "../domain/knowledge/learning.js";

/** Learnings below this are neither promoted nor retrieved. */
export const minConfidence = 0.3;

/** However often a learning is confirmed, its confidence stays at or below this. */
export const maxConfidence: Readonly<Record<LearningType, number>> = {
  strategy: 0.9,
  antipattern: 0.8,
  estimate: 0.9,
  convention: 0.95,
  pattern: 0.95,
  fact: 0.95,
};

export const maxExamples = 3;

/** Once is chance: what has no other support must occur this often. */
export const minRepeats = 2;

/** A number from 0 to 1; not undefined or NaN, which every comparison would let through. */
export function isFraction(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}
