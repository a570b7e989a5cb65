import type { TaskResults } from "../../store/repositories/knowledge/credits.js";
import type { Repositories } from "../../store/store.js";
import { type CreditedOutcome, type WeighedOutcomes, weighOutcomes } from "./evidence-lift.js";

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
  const [sums, results] = await Promise.all([
    repositories.credits.sumForRecords(recordIds),
    repositories.credits.countResultsAround(recordIds),
  ]);
  const outcomes = new Map<string, CreditedOutcome[]>();
  for (const { record_id: id, task_type: type, weight, succeeded } of sums) {
    const outcome = { weight, succeeded, baseRate: rateOf(results.get(type)) };
    outcomes.set(id, [...(outcomes.get(id) ?? []), outcome]);
  }
  return new Map([...outcomes].map(([id, own]) => [id, weighOutcomes(own)]));
}

/** The success rate of a task type, with one success and one failure added so that the first task does not decide it. */
export async function baseRate(repositories: Repositories, taskType: string): Promise<number> {
  return rateOf(await repositories.credits.countResults(taskType));
}

function rateOf({ tasks, successes }: TaskResults = { tasks: 0, successes: 0 }): number {
  return (successes + 1) / (tasks + 2);
}
