import type { Attempt } from "../../../domain/tasks/attempt.js";
import { counted } from "../../../text/counted.js";
import { isSameFailure } from "../../../text/same-failure.js";
import { quotedObjective, type ReflectionText, type WorkReport } from "../work-report.js";
import { asSentences } from "./as-sentences.js";

/** What the task took against its estimate, and what cost the extra attempts; failures that the last attempt already told are only counted. */
export function reflectOnTask(
  report: WorkReport,
  attempts: readonly Pick<Attempt, "id" | "plan" | "execution" | "outcome" | "errors_encountered">[],
): ReflectionText {
  const { task } = report;
  const iterations = attempts.reduce((sum, { execution }) => sum + execution.iterations, 0);
  const estimate = attempts.find(({ plan }) => plan.estimated_iterations !== undefined)?.plan
    .estimated_iterations;
  const took = [
    counted(attempts.length, "attempt"),
    ...(iterations > 0 ? [counted(iterations, "iteration")] : []),
  ].join(" and ");
  const costs = costsOf(attempts.slice(0, -1));
  return {
    observation: `${task.id} took ${took}${estimate === undefined ? "" : `; ${counted(estimate, "iteration")} had been estimated`}`,
    analysis: asSentences([estimate === iterations ? "The estimate held" : undefined, ...costs]),
    learning:
      estimate === undefined || iterations === 0 || iterations === estimate
        ? ""
        : `Tasks like ${quotedObjective(report)} take about ${counted(iterations, "iteration")}, not ${estimate}`,
    action_items: [],
  };
}

/** One line for each run of attempts that ended alike. */
function costsOf(attempts: readonly Pick<Attempt, "id" | "outcome" | "errors_encountered">[]): string[] {
  const costs: { ids: number[]; what: string }[] = [];
  for (const { id, outcome, errors_encountered: errors } of attempts) {
    const what = outcome?.status === "timeout" ? "time" : (errors.at(-1)?.message ?? "");
    const last = costs.at(-1);
    if (last !== undefined && isSameFailure(last.what, what)) last.ids.push(id);
    else costs.push({ ids: [id], what });
  }
  return costs
    .filter(({ what }) => what !== "")
    .map(({ ids, what }) => {
      const which = `${ids.length === 1 ? "Attempt" : "Attempts"} ${ids.join(", ").replace(/, (\d+)$/, " and $1")}`;
      return what === "time" ? `${which} ran out of time` : `${which} failed with ${shortened(what)}`;
    });
}

const maxCost = 80;

/** The attempts' own reflections have it in full. */
function shortened(message: string): string {
  return message.length > maxCost ? `${message.slice(0, maxCost).trimEnd()}…` : message;
}
