import type { Task } from "../../../domain/tasks/task.js";
import type { TaskHistory } from "../../../episodic/history/query-history.js";
import { renderFacts } from "../learnings.js";
import { renderJson } from "../terminal/json.js";
import { oneLine } from "../terminal/printable.js";
import { renderTable } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import { shownMoment, shownTime } from "../times.js";
import { byName } from "./by-name.js";
import { listedObjective } from "./listed-objective.js";

export function showTasks(tasks: readonly Task[], isJson: boolean, terminal: Terminal): void {
  if (isJson) {
    terminal.out(renderJson(tasks));
    return;
  }
  if (tasks.length === 0) {
    terminal.talk("No tasks to show\n");
    return;
  }
  // Whoever works alone knows who it was.
  const hasNames = new Set(tasks.map(({ made_by: name }) => name)).size > 1;
  const rows = tasks.map((task) => [
    task.id,
    task.archived ? `${task.status}, archived` : task.status,
    String(task.total_attempts),
    shownTime(task.updated, terminal),
    ...(hasNames ? [task.made_by ?? ""] : []),
    listedObjective(task.description),
  ]);
  const columns = [
    "ID",
    { title: "STATUS" },
    { title: "ATTEMPTS", drop: 1 },
    { title: "UPDATED", drop: 2 },
    ...(hasNames ? [{ title: "BY", drop: 3 }] : []),
    "DESCRIPTION",
  ];
  terminal.out(renderTable(columns, rows, terminal));
}

/** A task with one line for each attempt. */
export function renderTask(task: TaskHistory, terminal: Terminal): string {
  const facts = renderFacts([
    ["Task", task.id],
    ["Status", task.archived ? `${task.status}, archived` : task.status],
    ["Created", shownMoment(task.created, terminal)],
    ["Updated", shownMoment(task.updated, terminal)],
    ["Done when", task.completion_criteria ?? ""],
    ["Tags", task.tags.join(", ")],
    ["By", task.made_by ?? ""],
    ["Agent", task.agent ?? ""],
    ["Phase", task.phase ?? ""],
    ["Constraints", task.constraints.join("; ")],
    ["Related", task.related_tasks.join(", ")],
  ]);
  const attempts = task.attempts.map(({ id, outcome, started, made_by: name }) => {
    const reason = outcome?.reason ? `  ${oneLine(outcome.reason)}` : "";
    return `  Attempt ${id}  ${outcome?.status ?? "running"}  ${shownTime(started, terminal)}${byName(name)}${reason}\n`;
  });
  return `${oneLine(task.description)}\n\n${facts}${attempts.length > 0 ? `\n${attempts.join("")}` : ""}`;
}
