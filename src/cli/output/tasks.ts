import { type Task, type TaskStatus, taskStatuses } from "../../domain/tasks/task.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";
import { clipAtWord } from "../../text/clip-at-word.js";
import { list, sinceOf, sinceOption, text, untilOf } from "../framework/options.js";
import { renderFacts } from "./learnings.js";
import { oneLine } from "./terminal/style.js";
import { renderTable } from "./terminal/table.js";
import type { Terminal } from "./terminal/terminal.js";
import { shownMoment, shownTime } from "./times.js";

/** Options that choose among tasks. */
export const taskFilterOptions = {
  status: list("STATUS", "only tasks with one of these statuses, comma-separated", { values: taskStatuses }),
  tag: list("TAGS", "only tasks with one of these tags, comma-separated", { aliases: ["tags"] }),
  agent: text("NAME", "only tasks by this agent"),
  since: sinceOption("only tasks updated since then"),
} as const;

interface TaskFilterValues {
  status: string[] | undefined;
  tag: string[] | undefined;
  agent: string | undefined;
  since: string | undefined;
  until?: string | undefined;
}

export function taskFilterOf({ status, tag, agent, ...times }: TaskFilterValues) {
  const [since, until] = [sinceOf(times), untilOf(times)];
  return {
    ...(status && { statuses: status as TaskStatus[] }),
    ...(tag && { tags: tag }),
    ...(agent && { agent }),
    ...(since && { since }),
    ...(until && { until }),
  };
}

const maxObjective = 500;

/** What a task is about, on one line of a list: it may be as long as a file, and `ralph task show` prints all of it. */
export function listedObjective(text: string): string {
  return oneLine(clipAtWord(text, maxObjective));
}

/** The author of a record, to follow it; empty if nobody is known. */
export function byName(name: string | undefined): string {
  return name === undefined ? "" : `  by ${oneLine(name)}`;
}

const statusOf = ({ archived, status }: Task) => (archived ? `${status}, archived` : status);

export function taskTable(tasks: readonly Task[], terminal: Terminal): string {
  // Somebody who works alone knows who it was.
  const hasNames = new Set(tasks.map(({ made_by: name }) => name)).size > 1;
  const rows = tasks.map((task) => [
    task.id,
    statusOf(task),
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
  return renderTable(columns, rows, terminal);
}

/** A task with one line for each attempt. */
export function renderTask(task: TaskHistory, terminal: Terminal): string {
  const facts = renderFacts([
    ["Task", task.id],
    ["Status", statusOf(task)],
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
