import type { Action } from "../../domain/tasks/action.js";
import type { ForeignRecord } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import { defined } from "../defined.js";
import { contentOf, newLearning } from "../new-learning.js";
import { newAction, newAttempt, newTask } from "../new-task.js";
import type { RecordFields } from "../record-fields.js";
import type { SessionRows } from "./memory-tables.js";
import { filesOf, listOf, statementOf, timeOf } from "./observation-records.js";

const layout = "claude-mem";
const longestPrompt = 500;

/** A session is a task with one attempt; what was learned in it is a learning; the last one's next steps are a task. */
export function sessionRecords(session: SessionRows, { isNewest }: { isNewest: boolean }): ForeignRecord[] {
  const { id, summaries, observations, original } = session;
  if (id.startsWith("manual-") || (summaries.length === 0 && observations.length === 0)) return [];
  return [
    { kind: "task", id, original, record: readTask(session) },
    ...summaries.flatMap((summary, index) => lessonOf(id, summary, index)),
    ...(isNewest ? nextTask(id, summaries.at(-1)) : []),
  ];
}

function readTask({ id, fields, summaries, observations }: SessionRows) {
  const told = (name: string) => unique(summaries.flatMap((each) => each.findText(name)?.trim() || []));
  const created = fields.findTime("started_at_epoch") ?? fields.time("started_at");
  const last = [...summaries, ...observations].map(timeOf).toSorted().at(-1) ?? created;
  const ended = fields.findTime("completed_at_epoch") ?? fields.findTime("completed_at") ?? last;
  const description =
    told("request")[0] ??
    (fields.findText("custom_title") || fields.findText("user_prompt")?.slice(0, longestPrompt)) ??
    `Session of ${created.slice(0, 10)}`;
  const state = fields.findText("status");
  const done = told("completed");
  const isOver = state === "completed" || state === "failed" || done.length > 0;
  const status = !isOver ? "paused" : state === "failed" ? "failed" : "completed";
  const attempt = newAttempt({
    ...{ id: 1, task: { id, description }, started: created, actions: observations.map(toAction) },
    files: unique([...summaries, ...observations].flatMap(filesOf)),
    artifacts_produced: unique(observations.flatMap((each) => listOf(each, "files_modified"))),
    ...(isOver && {
      ended,
      outcome: {
        status: status === "failed" ? ("failure" as const) : ("success" as const),
        ...defined({ reason: done.at(-1) }),
        what_worked: done,
        what_didnt_work: [],
        suggestions_for_next_time: told("next_steps"),
      },
    }),
  });
  return newTask({
    ...{ layout, id, description, created, updated: ended, status, attempts: [attempt] },
    ...(status === "completed" && { completed: ended }),
    ...defined({ agent: fields.findText("platform_source") }),
  });
}

function toAction(fields: RecordFields): Action {
  const files = listOf(fields, "files_modified");
  return newAction({
    timestamp: timeOf(fields),
    tool: fields.findText("type") ?? "observation",
    params: { title: fields.findText("title") ?? "", ...(files.length > 0 && { files }) },
    output: statementOf(fields),
  });
}

function lessonOf(sessionId: string, summary: RecordFields, index: number): ForeignRecord[] {
  const statement = summary.findText("learned")?.trim() ?? "";
  if (statement === "") return [];
  const id = `${sessionId} learned ${index + 1}`;
  const record = newLearning({
    ...{ layout, foreignId: id, type: "fact", createdAt: timeOf(summary), sourceLoops: [sessionId] },
    content: contentOf("fact", statement),
  });
  return [{ kind: "learning", id, original: statement, record }];
}

/** Those of earlier sessions are over, or were taken along; their attempts tell them. */
function nextTask(sessionId: string, summary: RecordFields | undefined): ForeignRecord[] {
  const description = summary?.findText("next_steps")?.trim() ?? "";
  if (summary === undefined || description === "") return [];
  const id = `${sessionId} next`;
  const record = newTask({ layout, id, description, created: timeOf(summary), status: "paused" });
  const link = { from: id, to: sessionId, relation: "derived_from" as const };
  return [
    { kind: "task", id, original: description, record },
    { kind: "link", id: `${id} derived_from ${sessionId}`, record: link },
  ];
}
