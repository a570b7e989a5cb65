import type { Handoff } from "../domain/working.js";
import { fenceAsData, neutraliseContent, neutraliseLine } from "../text/fence/fence.js";

/** A handoff as a Markdown document; what the other agent wrote is fenced as data. */
export function renderHandoff(handoff: Handoff): string {
  const { from_agent: from, to_agent: to } = handoff;
  return `# ${handoff.id}: ${neutraliseLine(from)} → ${neutraliseLine(to)}\n\n${handoffIntro(handoff)}`;
}

/** The handoff, fenced as data, for the start of the receiver's next plan. */
export function handoffIntro(handoff: Handoff): string {
  const introduction = `${handoff.id}: ${neutraliseLine(handoff.from_agent)} hands over to ${neutraliseLine(handoff.to_agent)}.`;
  return `${fenceAsData(introduction, bodyLines(handoff).join("\n").trimEnd())}\n`;
}

function bodyLines(handoff: Handoff): string[] {
  const { timestamp, task_id: task, context, accepted_at, accepted_by, made_by, taken_by } = handoff;
  const named = (name: string | undefined) => (name === undefined ? "" : ` (${neutraliseLine(name)})`);
  const list = (title: string, items: readonly string[]) =>
    items.length === 0
      ? []
      : [`## ${title}`, "", ...items.map((item) => `- ${neutraliseLine(item, 1000)}`), ""];
  return [
    `- Time: ${timestamp}`,
    ...(made_by === undefined ? [] : [`- By: ${neutraliseLine(made_by)}`]),
    ...(task === undefined ? [] : [`- Task: ${task}`]),
    `- Git state: ${neutraliseLine(context.git_state)}`,
    ...(accepted_at === undefined
      ? []
      : [`- Accepted: ${accepted_at} by ${neutraliseLine(accepted_by ?? "")}${named(taken_by)}`]),
    "",
    "## What was done",
    "",
    neutraliseContent(context.what_was_done),
    "",
    ...list("Artifacts", context.artifacts),
    ...list("Needs testing", context.needs_testing),
    ...list("Known issues", context.known_issues),
    ...list("Relevant patterns", context.relevant_patterns),
  ];
}
