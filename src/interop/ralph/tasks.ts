import type { Task } from "../../domain/tasks/task.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import { type ExportSource, renderBack } from "../export-source.js";
import { RecordFields } from "../fields.js";
import { newTask } from "../records.js";
import type { SourceFolder } from "../source-folder.js";
import type { TargetFolder } from "../target-folder.js";

export const tasksFile = "tasks.jsonl";

const foreignStatuses = ["open", "in_progress", "closed", "failed"] as const;

/** One task per line. */
export function* readTasks(source: SourceFolder): Generator<ForeignFile> {
  for (const { value, line, place } of source.jsonLines(tasksFile)) {
    const record = taskFrom(value, place);
    yield { file: tasksFile, records: [{ kind: "task", id: record.id, line, record, original: value }] };
  }
}

/** A started task has one attempt. One that is open there is paused here. */
function taskFrom(value: unknown, place: string): TaskHistory {
  const fields = new RecordFields(value, place);
  const id = fields.text("id");
  const status = fields.findOneOf("status", foreignStatuses) ?? "open";
  const created = fields.findTime("created") ?? timeOfId(id) ?? fields.time("created");
  const started = fields.findTime("started");
  const closed = fields.findTime("closed");
  const isClosed = status === "closed" || status === "failed";
  return newTask({
    ...{ layout: "ralph", id, created, updated: closed ?? started ?? created },
    description: [fields.text("title"), fields.findWords("description") ?? []].flat().join("\n\n"),
    status: status === "closed" ? "completed" : status === "failed" ? "failed" : "paused",
    related_tasks: fields.texts("blocked_by"),
    // Set if the task was exported from here.
    uuid: fields.findText("uuid"),
    attempt: started === undefined && !isClosed ? undefined : { started },
  });
}

/** `task-<seconds>-<4 hex>` */
function timeOfId(id: string): string | undefined {
  const seconds = /^task-(\d{9,11})-/.exec(id)?.[1];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString();
}

/** Priorities range from 1 to 5. */
const usualPriority = 3;

export async function writeTasks(source: ExportSource, target: TargetFolder): Promise<number> {
  const { memory } = source;
  const tasks = (await memory.tasks.list()).toReversed();
  const idOf = new Map(tasks.map((task) => [task.id, foreignIdOf(source, task)]));
  const rows = tasks.map((task) => ({ task, row: source.originalOf("task", task.id) }));
  rows.sort((one, other) => (one.row?.place ?? tasks.length) - (other.row?.place ?? tasks.length));
  const lines: unknown[] = [];
  for (const { task, row } of rows) {
    const history = await memory.tasks.history(task.id, { isFull: true });
    lines.push(
      renderBack(row, history, {
        read: (original) => taskFrom(original, tasksFile),
        render: (each) => renderTask(each, idOf),
      }),
    );
  }
  lines.push(...source.heldBack("task").map(({ original }) => original));
  if (lines.length > 0) target.lines(tasksFile, lines);
  return lines.length;
}

function foreignIdOf(source: ExportSource, { id, created, uuid }: Task): string {
  const known = source.foreignId(id, "task");
  return known === id ? `task-${Math.floor(Date.parse(created) / 1000)}-${uuid.slice(0, 4)}` : known;
}

function renderTask(task: TaskHistory, idOf: ReadonlyMap<string, string>): object {
  const [title = "", ...rest] = task.description.split("\n");
  const text = rest.join("\n").trim();
  const [first] = task.attempts;
  const isOver = task.status === "completed" || task.status === "failed";
  return {
    id: idOf.get(task.id) ?? task.id,
    title,
    ...(text !== "" && { description: text }),
    status: statusOf(task),
    priority: usualPriority,
    blocked_by: task.related_tasks.map((id) => idOf.get(id) ?? id),
    created: task.created,
    uuid: task.uuid,
    ...(first !== undefined && { started: first.started }),
    ...(isOver && { closed: task.completed ?? task.updated }),
  };
}

function statusOf({ status, attempts }: TaskHistory): string {
  if (status === "completed") return "closed";
  if (status === "failed") return "failed";
  return attempts.length > 0 ? "in_progress" : "open";
}
