import type { Repositories } from "../../store/store.js";
import { type CreditedOutcome, evidenceLift } from "./evidence-bound.js";

/** How much better tasks went with a record than such tasks go anyway; 0 while too little is known. */
export async function liftOf(repositories: Repositories, recordId: string): Promise<number> {
  return (await liftsOf(repositories, [recordId])).get(recordId) ?? 0;
}

/** The same for many records at once. */
export async function liftsOf(
  repositories: Repositories,
  recordIds: readonly string[],
): Promise<Map<string, number>> {
  const rates = new Map<string, number>();
  const outcomes = new Map<string, CreditedOutcome[]>();
  for (const { record_id: id, task_type: type, weight, succeeded } of await repositories.credits.listOfAll(
    recordIds,
  )) {
    const rate = rates.get(type) ?? (await baseRate(repositories, type));
    rates.set(type, rate);
    outcomes.set(id, [...(outcomes.get(id) ?? []), { weight, succeeded, baseRate: rate }]);
  }
  return new Map([...outcomes].map(([id, own]) => [id, evidenceLift(own)]));
}

/** The share of tasks of a type that succeed; one of each is added, so that a first task does not decide. */
export async function baseRate(repositories: Repositories, taskType: string): Promise<number> {
  const { tasks, successes } = await repositories.credits.countResults(taskType);
  return (successes + 1) / (tasks + 2);
}
