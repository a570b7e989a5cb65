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
  return weighOutcomes(outcomes).lift;
}

/** How tasks went with a learning, against how they go anyway. */
export interface WeighedOutcomes {
  /** Sums of weights. */
  trials: number;
  successes: number;
  baseRate: number;
  /** The bounds of the success rate: from 0 to 1 without a trial. */
  lower: number;
  upper: number;
  lift: number;
}

export function weighOutcomes(outcomes: readonly CreditedOutcome[]): WeighedOutcomes {
  const trials = sum(outcomes, ({ weight }) => weight);
  const successes = sum(outcomes, ({ weight, succeeded }) => (succeeded ? weight : 0));
  const baseRate = trials === 0 ? 0 : sum(outcomes, ({ weight, baseRate: rate }) => weight * rate) / trials;
  const { lower, upper } = successBounds(successes, trials);
  const lift =
    trials === 0 ? 0 : lower > baseRate ? lower - baseRate : upper < baseRate ? upper - baseRate : 0;
  return { trials, successes, baseRate, lower, upper, lift };
}

function sum<T>(items: readonly T[], amountOf: (item: T) => number): number {
  return items.reduce((total, item) => total + amountOf(item), 0);
}
