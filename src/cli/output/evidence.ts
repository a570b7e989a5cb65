import type { Credit } from "../../domain/knowledge/brief.js";
import { adviceOf } from "../../domain/knowledge/statement.js";
import type {
  EvidenceAttempt,
  EvidenceRemedy,
  LearningEvidence,
} from "../../memory/learnings/lessons/why-learning.js";
import { counted } from "../../text/counted.js";
import { renderLinks, supportOf } from "./learnings.js";
import { byName, listedObjective } from "./tasks.js";
import { oneLine } from "./terminal/style.js";
import type { Terminal } from "./terminal/terminal.js";
import { shownTime } from "./times.js";

/** Where a learning comes from, and how the tasks that used it ended. */
export function renderEvidence(evidence: LearningEvidence, terminal: Terminal): string {
  const { learning, attempts, remedies, otherSources, credits, lift, links } = evidence;
  const tasks = new Set(attempts.map(({ task_id }) => task_id)).size;
  return [
    `${learning.id}  ${learning.type}  ${learning.taskType}`,
    oneLine([adviceOf(learning), ...supportOf(learning)].join(" ")),
    ...(learning.reviewed_by === undefined
      ? []
      : [`Reviewed by ${learning.reviewed_by.map(oneLine).join(", ")}`]),
    ...(remedies.length === 0
      ? []
      : ["", "What helped, and what did not", ...remedies.flatMap(renderRemedy)]),
    "",
    attempts.length === 0
      ? "No recorded attempts support it"
      : `Drawn from ${counted(attempts.length, "attempt")} of ${counted(tasks, "task")}`,
    ...attempts.flatMap((attempt) => renderAttempt(attempt, terminal)),
    ...(otherSources.length === 0 ? [] : ["", `Other sources: ${otherSources.map(oneLine).join(", ")}`]),
    "",
    credits.length === 0
      ? "Not used in a finished task yet"
      : `Used in ${counted(credits.length, "finished task")}, lift ${signed(lift)} over similar tasks without it`,
    ...credits.map(renderCredit),
    ...(links.length === 0 ? [] : ["", "Links", ...renderLinks(links).map((line) => `  ${line}`)]),
    "",
  ].join("\n");
}

function renderRemedy({ source, remedy, isSaid, inVain }: EvidenceRemedy): string[] {
  return [
    ...(remedy === undefined
      ? []
      : [`  ${source}  ${isSaid ? "said" : "went away after"}: ${oneLine(remedy)}`]),
    ...inVain.map((tried) => `  ${source}  in vain: ${oneLine(tried)}`),
  ];
}

function renderAttempt(attempt: EvidenceAttempt, terminal: Terminal): string[] {
  const { episode, outcome, ended, made_by: name, description, actions, errors, reflections } = attempt;
  return [
    "",
    `${episode}  ${outcome}${ended ? `  ${shownTime(ended, terminal)}` : ""}${byName(name)}  ${listedObjective(description)}`,
    ...actions.map(
      ({ tool, what, success }) => `  ${success ? "ok" : "failed"}  ${oneLine(`${tool} ${what}`.trimEnd())}`,
    ),
    ...errors.map((error) => `  Error: ${oneLine(error)}`),
    ...reflections.map((reflection) => `  Reflection: ${oneLine(reflection)}`),
  ];
}

function renderCredit({ task_id, task_type, succeeded, reason, weight, created }: Credit): string {
  const result = succeeded ? "succeeded" : "failed";
  return `  ${task_id}  ${result}  ${task_type}  ${reason} (weight ${weight})  ${created.slice(0, 10)}`;
}

function signed(lift: number): string {
  return `${lift < 0 ? "" : "+"}${lift.toFixed(2)}`;
}
