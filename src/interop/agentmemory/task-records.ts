import type { TaskStatus } from "../../domain/tasks/task.js";
import type { ForeignRecord } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import { defined } from "../defined.js";
import { newAction, newAttempt, newTask } from "../new-task.js";
import type { RecordFields } from "../record-fields.js";

const layout = "agentmemory";

const statuses: ReadonlyMap<string, TaskStatus> = new Map<string, TaskStatus>([
  ["done", "completed"],
  ["cancelled", "failed"],
]);

/** An action is work to do: a task. */
export function actionRecord(fields: RecordFields, original: unknown): ForeignRecord[] {
  const id = fields.text("id");
  const description = unique([fields.text("title"), fields.findText("description") ?? ""])
    .filter((text) => text !== "")
    .join("\n\n");
  const created = fields.time("createdAt");
  const updated = fields.findTime("updatedAt") ?? created;
  const status = statuses.get(fields.findText("status") ?? "") ?? "paused";
  const result = fields.findText("result") ?? "";
  const isDone = status === "completed";
  const attempt = newAttempt({
    ...{ id: 1, task: { id, description }, started: created, ended: updated },
    outcome: {
      status: isDone ? "success" : "failure",
      ...(result !== "" && { reason: result }),
      what_worked: isDone && result !== "" ? [result] : [],
      what_didnt_work: [],
      suggestions_for_next_time: [],
    },
  });
  const parent = fields.findText("parentId");
  const record = newTask({
    ...{ layout, id, description, created, updated, status, tags: fields.texts("tags") },
    ...(isDone && { completed: updated }),
    ...defined({ agent: fields.findText("assignedTo") }),
    attempts: status === "paused" ? [] : [attempt],
  });
  return [
    { kind: "task", id, original, record },
    ...(parent === undefined
      ? []
      : [
          {
            ...{ kind: "link" as const, id: `${id} elaborates ${parent}` },
            record: { from: id, to: parent, relation: "elaborates" as const },
          },
        ]),
  ];
}

export interface SessionParts {
  summary: RecordFields | undefined;
  observations: readonly RecordFields[];
  original: unknown;
}

/** A session is a task with one attempt, whose actions are what was observed. */
export function sessionRecord(
  fields: RecordFields,
  { summary, observations, original }: SessionParts,
): ForeignRecord {
  const id = fields.text("id");
  const started = fields.time("startedAt");
  const ended = fields.findTime("endedAt");
  const told = fields.findText("summary") ?? summary?.findText("narrative") ?? "";
  const description =
    summary?.findText("title") ||
    fields.findText("firstPrompt") ||
    told ||
    `Session of ${started.slice(0, 10)}`;
  const isCompleted = fields.findText("status") === "completed";
  const files = unique([
    ...(summary?.texts("filesModified") ?? []),
    ...observations.flatMap((each) => each.texts("files")),
  ]);
  const attempt = newAttempt({
    ...{ id: 1, task: { id, description }, started, files, ...defined({ ended }) },
    actions: observations.map(readObservation),
    ...(isCompleted && {
      ended: ended ?? started,
      outcome: {
        status: "success" as const,
        what_worked: [told, ...(summary?.texts("keyDecisions") ?? [])].filter((text) => text !== ""),
        what_didnt_work: [],
        suggestions_for_next_time: [],
      },
    }),
  });
  return {
    ...{ kind: "task", id, original },
    record: newTask({
      ...{ layout, id, description, created: started, updated: ended ?? started, attempts: [attempt] },
      status: isCompleted ? "completed" : "paused",
      ...(isCompleted && { completed: ended ?? started }),
      tags: fields.texts("tags"),
      ...defined({ agent: fields.findText("agentId") }),
    }),
  };
}

function readObservation(fields: RecordFields) {
  const kind = fields.findText("type") ?? "other";
  return newAction({
    timestamp: fields.time("timestamp"),
    tool: kind,
    params: { title: fields.findText("title") ?? "", files: fields.texts("files") },
    ...defined({ output: fields.findText("narrative") }),
    success: kind !== "error",
  });
}
