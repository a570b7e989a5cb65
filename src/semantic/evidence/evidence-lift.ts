import { successBounds } from "./success-bounds.js";

/** A finished task that was shown a learning. */
export interface CreditedOutcome {
  succeeded: boolean;
  /** Whether the agent cited the learning, touched its files or met its error, or was only shown it: `creditWeights`. */
  weight: number;
  /** The success rate of all tasks of that type. */
  baseRate: number;
}

export const creditWeights = { used: 1, shown: 0.2 } as const;

/**
 * How much a learning changes the success rate of tasks, as far as the evidence supports it, from -1 to 1: the distance from
 * the base rate to the nearer confidence bound, 0 while the base rate is between the bounds. So little evidence changes
 * nothing, and being shown everywhere earns nothing.
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
