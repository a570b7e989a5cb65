import { isLearningId } from "../domain/knowledge/record-ids.js";
import type { TaskResults } from "../store/repositories/knowledge/credits.js";
import type { Repositories } from "../store/store.js";

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

function weighOutcomes(outcomes: readonly CreditedOutcome[]): WeighedOutcomes {
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

/** z of the normal distribution for a one-sided 90 % bound. */
const oneSided90 = 1.2816;

/** The Wilson bounds of a success rate; the number of trials may be fractional. */
export function successBounds(
  successes: number,
  trials: number,
  z: number = oneSided90,
): { lower: number; upper: number } {
  if (trials <= 0) return { lower: 0, upper: 1 };
  const rate = Math.min(1, successes / trials);
  const spread = z * Math.sqrt((rate * (1 - rate)) / trials + z ** 2 / (4 * trials ** 2));
  const middle = rate + z ** 2 / (2 * trials);
  const scale = 1 + z ** 2 / trials;
  // Exact at 0 and 1, where rounding could leave the bounds slightly inside.
  return {
    lower: rate === 0 ? 0 : Math.max(0, (middle - spread) / scale),
    upper: rate === 1 ? 1 : Math.min(1, (middle + spread) / scale),
  };
}

/** The lift of each record by id; records without evidence are left out. */
export async function liftsOf(
  repositories: Repositories,
  recordIds: readonly string[],
): Promise<Map<string, number>> {
  const weighed = await weighRecords(repositories, recordIds);
  return new Map([...weighed].map(([id, { lift }]) => [id, lift]));
}

/** How tasks went with each record, by id; records without evidence are left out. */
export async function weighRecords(
  repositories: Repositories,
  recordIds: readonly string[],
): Promise<Map<string, WeighedOutcomes>> {
  const outcomes = new Map<string, CreditedOutcome[]>();
  for (const sum of await repositories.credits.sumForRecords(recordIds)) {
    const { record_id: id, weight, succeeded, results } = sum;
    const outcome = { weight, succeeded, baseRate: rateOf(results) };
    outcomes.set(id, [...(outcomes.get(id) ?? []), outcome]);
  }
  return new Map([...outcomes].map(([id, own]) => [id, weighOutcomes(own)]));
}

/** The success rate of a task type, with one success and one failure added so that the first task does not decide it. */
export async function baseRate(repositories: Repositories, taskType: string): Promise<number> {
  return rateOf(await repositories.credits.countResults(taskType));
}

function rateOf({ tasks, successes }: TaskResults): number {
  return (successes + 1) / (tasks + 2);
}

/** How tasks that were shown a learning went. */
export interface WeighedLearning extends WeighedOutcomes {
  id: string;
}

const recordsAtOnce = 500;

/** Of these learnings, or of all that have any evidence; the one that helped most comes first. */
export async function weighLearnings(
  repositories: Repositories,
  ids?: readonly string[],
): Promise<WeighedLearning[]> {
  const wanted = ids ?? (await repositories.credits.listCredited()).filter(isLearningId);
  const weighed: WeighedLearning[] = [];
  for (let at = 0; at < wanted.length; at += recordsAtOnce)
    for (const [id, outcomes] of await weighRecords(repositories, wanted.slice(at, at + recordsAtOnce)))
      weighed.push({ id, ...outcomes });
  return weighed.toSorted((one, other) => other.lift - one.lift || other.trials - one.trials);
}
