import type { Repositories } from "../../store/store.js";
import { type CreditedOutcome, evidenceLift } from "./evidence-lift.js";

/** The lift of each record by id; records without evidence are left out. */
export async function liftsOf(
  repositories: Repositories,
  recordIds: readonly string[],
): Promise<Map<string, number>> {
  const rates = new Map<string, number>();
  const outcomes = new Map<string, CreditedOutcome[]>();
  for (const {
    record_id: id,
    task_type: type,
    weight,
    succeeded,
  } of await repositories.credits.sumForRecords(recordIds)) {
    const rate = rates.get(type) ?? (await baseRate(repositories, type));
    rates.set(type, rate);
    outcomes.set(id, [...(outcomes.get(id) ?? []), { weight, succeeded, baseRate: rate }]);
  }
  return new Map([...outcomes].map(([id, own]) => [id, evidenceLift(own)]));
}

/** The success rate of a task type, with one success and one failure added so that the first task does not decide it. */
export async function baseRate(repositories: Repositories, taskType: string): Promise<number> {
  const { tasks, successes } = await repositories.credits.countResults(taskType);
  return (successes + 1) / (tasks + 2);
}
