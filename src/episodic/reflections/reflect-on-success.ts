import type { Attempt, EncounteredError } from "../../domain/tasks/attempt.js";
import { capitalised } from "../../text/capitalised.js";
import { counted } from "../../text/counted.js";
import { isSameFailure } from "../../text/same-failure.js";
import { describeRemedy } from "../resolutions/describe-remedy.js";
import { isRemedyAction } from "../resolutions/remedy-actions.js";
import {
  asSentences,
  quotedObjective,
  type ReflectionText,
  type WorkReport,
  workName,
} from "./work-report.js";
import { describeTried, triedSince, workTried } from "./work-tried.js";

const maxResolved = 2;
const maxSteps = 3;

/** What made the difference: in the agent's words, the solved failures with their remedies, or what the failed attempt had not done. */
export function reflectOnSuccess(report: WorkReport): ReflectionText {
  const { iterations, whatWorked } = report;
  const path = iterations > 1 ? ` after ${iterations} iterations` : "";
  const solved = solvedIn(report);
  const said = whatWorked.map((text) => text.trim()).filter((text) => text !== "");
  return {
    observation: `${quotedObjective(report)} succeeded in ${workName(report)}${path}`,
    analysis: asSentences(said.length > 0 ? solved : []),
    learning: asSentences(said.length > 0 ? said : solved),
    action_items: [],
  };
}

/** Failures of this work or the one before, each with what solved it. */
function solvedIn(report: WorkReport): string[] {
  const { resolved, failures, previous, actions } = report;
  const within = resolved
    .slice(-maxResolved)
    .flatMap(({ message, resolution }) => (resolution ? [solution(resolution, message)] : []));
  // With failures left in the output, no error is known to be gone.
  const [obstacle] = failures.length > 0 ? [] : (previous?.errors ?? []);
  if (obstacle === undefined || isAmong(obstacle, resolved)) return within;
  const difference = differenceFrom(report);
  const done = actions.filter((action) => action.success && isRemedyAction(action, new Set()));
  const work = describeRemedy(done.slice(-maxSteps));
  const overcome =
    difference === ""
      ? work && solution(work, obstacle)
      : `${capitalised(difference)} solved what ${previous?.name} failed with: ${obstacle}`;
  return [...(overcome ? [overcome] : []), ...within].slice(0, maxResolved);
}

function solution(resolution: string, failure: string): string {
  return `${capitalised(resolution.replace(/[.;]$/, ""))}; this solved: ${failure}`;
}

function isAmong(message: string, errors: readonly EncounteredError[]): boolean {
  return errors.some((error) => isSameFailure(error.message, message));
}

/** What was done this time but not in the previous, failed work. */
function differenceFrom({ previous, actions, changedFiles }: WorkReport): string {
  if (previous?.actions === undefined || previous.errors.length === 0) return "";
  return describeTried(triedSince(workTried(actions, changedFiles), previous.actions));
}

/**
 * How the task compares with its estimate, and what caused the extra attempts; failures already named for the last attempt are only
 * counted.
 */
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

/** The attempts' own reflections have the full text. */
function shortened(message: string): string {
  return message.length > maxCost ? `${message.slice(0, maxCost).trimEnd()}…` : message;
}
