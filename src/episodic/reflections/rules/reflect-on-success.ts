import type { EncounteredError } from "../../../domain/tasks/attempt.js";
import { capitalised } from "../../../text/capitalised.js";
import { isSameFailure } from "../../../text/same-failure.js";
import { describeRemedy } from "../../resolutions/describe-remedy.js";
import { isRemedyAction } from "../../resolutions/remedy-actions.js";
import { quotedObjective, type ReflectionText, type WorkReport, workName } from "../work-report.js";
import { asSentences } from "./as-sentences.js";
import { describeTried, triedSince, workTried } from "./work-tried.js";

const maxResolved = 2;
const maxSteps = 3;

/** What made the difference: what the agent says, which failure was solved by what, or what the failed attempt had not done. */
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
  // Failures left in the output: none is known to be gone.
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

/** What was done this time, and not in the work before, which failed. */
function differenceFrom({ previous, actions, changedFiles }: WorkReport): string {
  if (previous?.actions === undefined || previous.errors.length === 0) return "";
  return describeTried(triedSince(workTried(actions, changedFiles), previous.actions));
}
