import { type Action, subjectOf } from "../../domain/tasks/action.js";
import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import { counted } from "../../text/counted.js";
import { renderProgress, renderReflection, wordsOf } from "./history.js";
import { oneLine } from "./terminal/style.js";

/** A task as a Markdown document. */
export function renderHistoryMarkdown(history: TaskHistory): string {
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`- ${title}: ${items.map(oneLine).join(", ")}`];
  return [
    `# ${history.id}: ${oneLine(history.description)}`,
    "",
    `- Status: ${history.status}`,
    `- Created: ${history.created}`,
    ...(history.completed ? [`- Completed: ${history.completed}`] : []),
    ...(history.completion_criteria ? [`- Done when: ${oneLine(history.completion_criteria)}`] : []),
    ...list("Tags", history.tags),
    ...list("Constraints", history.constraints),
    ...list("Related", history.related_tasks),
    "",
    ...history.reflections.filter(({ attempt_id: id }) => id === 0).map(renderReflection),
    ...history.attempts.flatMap((attempt) => renderAttemptMarkdown(attempt, history)),
  ].join("\n");
}

function renderAttemptMarkdown(attempt: AttemptHistory, { reflections }: TaskHistory): string[] {
  const { execution, outcome } = attempt;
  return [
    `## Attempt ${attempt.id}: ${outcome?.status ?? "running"}`,
    "",
    `- Started: ${attempt.started}${attempt.ended ? `, ended: ${attempt.ended} (${attempt.duration_seconds} s)` : ""}`,
    `- ${counted(execution.iterations, "iteration")}, ${counted(execution.actions_performed, "action")}${renderProgress(attempt)}`,
    ...(outcome?.reason ? [`- Reason: ${oneLine(outcome.reason)}`] : []),
    ...attempt.errors_encountered.map(
      ({ type, message, resolution }) =>
        `- Error (${oneLine(type)}): ${oneLine(message)}${resolution ? ` → ${oneLine(resolution)}` : ""}`,
    ),
    ...attempt.milestones.map(
      ({ timestamp, event, details }) =>
        `- ${timestamp} ${oneLine(event)}${details ? `: ${oneLine(details)}` : ""}`,
    ),
    ...wordsOf(attempt).map(({ iteration, said }) => `- Agent, iteration ${iteration}: ${said}`),
    "",
    ...(attempt.actions.length === 0 ? [] : ["| | tool | target | result |", "|-|-|-|-|"]),
    ...attempt.actions.map((action, index) => row([String(index + 1), ...actionCells(action)])),
    ...(attempt.actions_summary ? [`${attempt.actions_summary}.`] : []),
    "",
    ...reflections
      .filter((reflection) => reflection.attempt_id === attempt.id)
      .map((reflection) => renderReflection(reflection).replace(/^## /, "### ")),
  ];
}

function actionCells({ tool, params, success, reasoning }: Action): string[] {
  const what = subjectOf({ params });
  return [tool, reasoning ? `${what} (${reasoning})` : what, success ? "ok" : "failed"];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => oneLine(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}
