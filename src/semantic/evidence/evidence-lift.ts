import { successBounds } from "./success-bounds.js";

/** One finished task that a learning was part of. */
export interface CreditedOutcome {
  succeeded: boolean;
  /** 1 when the agent cited the learning, touched its files or met its error; 0.2 when it was merely shown. */
  weight: number;
  /** The share of tasks of that type that succeed anyway. */
  baseRate: number;
}

export const creditWeights = { used: 1, shown: 0.2 } as const;

/**
 * How much more often tasks succeed with a learning than without, as far as the evidence bears it out, from -1 to 1: the
 * lower bound of its success rate minus the base rate when that is above 0, the upper bound minus the base rate when that
 * is below 0, else 0. So little evidence moves nothing, and a learning shown everywhere gains nothing by that.
 */
export function evidenceLift(outcomes: readonly CreditedOutcome[]): number {
  const trials = sum(outcomes, ({ weight }) => weight);
  if (trials === 0) return 0;
  const successes = sum(outcomes, ({ weight, succeeded }) => (succeeded ? weight : 0));
  const baseRate = sum(outcomes, ({ weight, baseRate: rate }) => weight * rate) / trials;
  const { lower, upper } = successBounds(successes, trials);
  if (lower > baseRate) return lower - baseRate;
  return upper < baseRate ? upper - baseRate : 0;
}

function sum<T>(items: readonly T[], amountOf: (item: T) => number): number {
  return items.reduce((total, item) => total + amountOf(item), 0);
}
