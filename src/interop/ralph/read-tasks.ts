import type { TaskHistory } from "../../episodic/history/query-history.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import { defined } from "../defined.js";
import { newAttempt, newTask } from "../new-task.js";
import { RecordFields } from "../record-fields.js";
import type { SourceFolder } from "../source-folder.js";

export const tasksFile = "tasks.jsonl";

export const foreignStatuses = ["open", "in_progress", "closed", "failed"] as const;

/** One task in each line. */
export function* readTasks(source: SourceFolder): Generator<ForeignFile> {
  for (const { value, line, place } of source.jsonLines(tasksFile)) {
    const record = taskFrom(value, place);
    yield { file: tasksFile, records: [{ kind: "task", id: record.id, line, record, original: value }] };
  }
}

/** A task that was begun has one attempt. What is open there waits here. */
export function taskFrom(value: unknown, place: string): TaskHistory {
  const fields = new RecordFields(value, place);
  const id = fields.text("id");
  const status = fields.findOneOf("status", foreignStatuses) ?? "open";
  const created = fields.findTime("created") ?? timeOfId(id) ?? fields.time("created");
  const started = fields.findTime("started");
  const closed = fields.findTime("closed");
  const isClosed = status === "closed" || status === "failed";
  const text = fields.findText("description");
  const task = newTask({
    ...{ layout: "ralph", id, created, updated: closed ?? started ?? created },
    description: [fields.text("title"), text ?? ""].filter((part) => part.trim() !== "").join("\n\n"),
    status: status === "closed" ? "completed" : status === "failed" ? "failed" : "paused",
    ...(status === "closed" && { completed: closed ?? created }),
    related_tasks: fields.texts("blocked_by"),
    // Of a task that was exported from here.
    ...defined({ uuid: fields.findText("uuid") }),
  });
  if (started === undefined && !isClosed) return task;
  const attempt = newAttempt({
    ...{ id: 1, started: started ?? created, task },
    ...(isClosed && {
      ended: closed ?? started ?? created,
      outcome: {
        status: status === "closed" ? "success" : "failure",
        what_worked: [],
        what_didnt_work: [],
        suggestions_for_next_time: [],
      },
    }),
  });
  return { ...task, attempts: [attempt], current_attempt: 1, total_attempts: 1 };
}

/** `task-<seconds>-<4 hex>` */
function timeOfId(id: string): string | undefined {
  const seconds = /^task-(\d{9,11})-/.exec(id)?.[1];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString();
}
