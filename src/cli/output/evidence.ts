import type { Credit } from "../../domain/knowledge/brief.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import type { EvidenceAttempt, LearningEvidence } from "../../memory/learnings/lessons/why-learning.js";
import { counted } from "../../text/counted.js";
import { renderLinks } from "./links.js";
import { oneLine } from "./terminal/printable.js";

/** Where a learning comes from and what became of it, from top to bottom. */
export function renderEvidence(evidence: LearningEvidence): string {
  const { learning, attempts, otherSources, credits, lift, links } = evidence;
  const tasks = new Set(attempts.map(({ task_id }) => task_id)).size;
  return [
    `${learning.id}  ${learning.type}  ${learning.taskType}`,
    oneLine(statementOf(learning)),
    "",
    attempts.length === 0
      ? "No task of this memory is behind it"
      : `Drawn from ${counted(attempts.length, "attempt")} of ${counted(tasks, "task")}`,
    ...attempts.flatMap(renderAttempt),
    ...(otherSources.length === 0 ? [] : ["", `Sources elsewhere: ${otherSources.map(oneLine).join(", ")}`]),
    "",
    credits.length === 0
      ? "It has not been part of a finished task yet"
      : `Part of ${counted(credits.length, "finished task")}, lift ${signed(lift)} against such tasks without it`,
    ...credits.map(renderCredit),
    ...(links.length === 0 ? [] : ["", "Links", ...renderLinks(links).map((line) => `  ${line}`)]),
    "",
  ].join("\n");
}

function renderAttempt(attempt: EvidenceAttempt): string[] {
  const { episode, outcome, ended, description, actions, errors, reflections } = attempt;
  return [
    "",
    `${episode}  ${outcome}${ended ? `  ${ended.slice(0, 16)}` : ""}  ${oneLine(description)}`,
    ...actions.map(
      ({ tool, what, success }) => `  ${success ? "ok" : "failed"}  ${oneLine(`${tool} ${what}`.trimEnd())}`,
    ),
    ...errors.map((error) => `  Error: ${oneLine(error)}`),
    ...reflections.map((reflection) => `  Reflection: ${oneLine(reflection)}`),
  ];
}

function renderCredit({ task_id, task_type, succeeded, reason, weight, created }: Credit): string {
  const result = succeeded ? "succeeded" : "failed";
  return `  ${task_id}  ${result}  ${task_type}  ${reason} (counts ${weight})  ${created.slice(0, 10)}`;
}

function signed(lift: number): string {
  return `${lift < 0 ? "" : "+"}${lift.toFixed(2)}`;
}
