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
