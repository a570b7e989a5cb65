import type { Reflection } from "../../domain/tasks/reflection.js";
import type { AttemptHistory } from "../../episodic/history/query-history.js";
import type { ForeignRecord } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import { nearestRelation } from "../building/nearest-relation.js";
import { defined } from "../defined.js";
import { contentOf, newLearning } from "../new-learning.js";
import { newAttempt, newTask } from "../new-task.js";
import type { RecordFields } from "../record-fields.js";
import type { IssueLine } from "./read-issues.js";

const layout = "beads";

/** A decision is a learning, any other issue a task; what it depends on are links. */
export function issueRecords(fields: RecordFields, { original, line, ids }: IssueLine): ForeignRecord[] {
  const id = fields.text("id");
  const targets = fields.records("dependencies").map((dependency) => ({
    to: dependency.text("depends_on_id"),
    word: dependency.findText("type") ?? "related",
  }));
  const links = targets.map(({ to, word }): ForeignRecord => {
    const relation = nearestRelation(word);
    return { kind: "link", id: `${id} ${word} ${to}`, line, record: { from: id, to, relation } };
  });
  const related = unique(targets.map(({ to }) => to).filter((to) => ids.has(to)));
  const isDecision = fields.findText("issue_type") === "decision";
  return [
    isDecision
      ? { kind: "learning", id, line, original, record: readDecision(fields, id) }
      : { kind: "task", id, line, original, record: readTask(fields, id, related) },
    ...(isDecision ? [] : lessonRecords(fields, id, line)),
    ...links,
  ];
}

/** Words that say no more than that it is over. */
const closingWords = new Set(
  "closed close done fixed fix completed complete implemented resolved merged in by via as is it the pr issue commit".split(
    " ",
  ),
);

function saysHow(reason: string): boolean {
  const words = reason.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some((word) => !closingWords.has(word) && !/^[0-9a-f]*\d[0-9a-f]*$/.test(word));
}

/** What was wrong and how it was solved: tasks are shown for some months only, lessons as long as they serve. */
function lessonRecords(fields: RecordFields, id: string, line: number): ForeignRecord[] {
  const reason = fields.findText("close_reason") ?? "";
  const isSolved = fields.findText("status") === "closed" && !isGivenUp(fields);
  if (fields.findText("issue_type") !== "bug" || !isSolved || !saysHow(reason)) return [];
  const { created, updated } = timesOf(fields);
  const record = newLearning({
    ...{ layout, foreignId: `lesson of ${id}`, type: "antipattern", createdAt: created, updatedAt: updated },
    ...{ taskType: "bug-fix", sourceLoops: [id] },
    content: { ...contentOf("antipattern", fields.text("title")), prevention: reason },
  });
  return [{ kind: "learning", id: `lesson of ${id}`, line, original: reason, record }];
}

function readDecision(fields: RecordFields, id: string) {
  const reason = fields.findText("close_reason");
  const told = [fields.text("title"), ...textsOf(fields, "description", "design")];
  const times = timesOf(fields);
  return newLearning({
    ...{ layout, foreignId: id, type: "convention", createdAt: times.created, updatedAt: times.updated },
    content: { ...contentOf("convention", told.join(". ")), ...defined({ why: reason }) },
    category: "decision",
  });
}

function readTask(fields: RecordFields, id: string, related: string[]) {
  const title = fields.text("title");
  const description = [title, ...textsOf(fields, "description")].join("\n\n");
  const { created, updated, closed } = timesOf(fields);
  const isClosed = fields.findText("status") === "closed";
  const status = !isClosed ? "paused" : isGivenUp(fields) ? "failed" : "completed";
  const task = { id, description };
  const reflections = fields.records("comments").map((comment) => readComment(comment, id, created));
  const attempt = readAttempt(fields, task, reflections.length > 0);
  return newTask({
    ...{ layout, ...task, created, updated, status, related_tasks: related, reflections },
    ...(status === "completed" && { completed: closed ?? updated }),
    ...defined({
      completion_criteria: fields.findText("acceptance_criteria"),
      agent: fields.findText("assignee"),
    }),
    tags: unique([...fields.texts("labels"), fields.findText("issue_type") ?? "task"]),
    attempts: attempt === undefined ? [] : [attempt],
  });
}

/** Undefined if nobody has begun. */
function readAttempt(
  fields: RecordFields,
  task: { id: string; description: string },
  isDiscussed: boolean,
): AttemptHistory | undefined {
  const { created, updated, started, closed } = timesOf(fields);
  const [notes, design] = [textsOf(fields, "notes"), fields.findText("design")];
  const isClosed = fields.findText("status") === "closed";
  const isBegun = isClosed || started !== undefined || isDiscussed || notes.length > 0;
  if (!isBegun) return undefined;
  const reason = fields.findText("close_reason") ?? "";
  const agent = fields.findText("assignee");
  const told = [...notes, ...(reason === "" ? [] : [reason])];
  const isDone = isClosed && !isGivenUp(fields);
  return newAttempt({
    ...{ id: 1, task, started: started ?? created },
    plan: defined({ approach: design }),
    execution: { iterations: 1, ...defined({ agent }) },
    ...(isClosed && {
      ended: closed ?? updated,
      outcome: {
        status: isDone ? ("success" as const) : ("failure" as const),
        ...(reason !== "" && { reason }),
        what_worked: isDone ? told : [],
        what_didnt_work: isDone ? [] : told,
        suggestions_for_next_time: [],
      },
    }),
  });
}

/** A closed issue is not always a solved one. */
function isGivenUp(fields: RecordFields): boolean {
  const reason = fields.findText("close_reason") ?? "";
  return /\b(?:won['’]?t\s*(?:fix|do)|wontfix|duplicate|obsolete|invalid|not planned|cancel(?:l?ed)?|abandoned)\b/i.test(
    reason,
  );
}

function readComment(comment: RecordFields, taskId: string, created: string): Reflection {
  return {
    timestamp: comment.findTime("created_at") ?? created,
    task_id: taskId,
    attempt_id: 1,
    observation: comment.text("text"),
    analysis: "",
    learning: "",
    action_items: [],
    triggered_by: "manual",
    reflection_type: "process-improvement",
  };
}

function textsOf(fields: RecordFields, ...names: string[]): string[] {
  return names.flatMap((name) => fields.findText(name)?.trim() || []);
}

/** A time in 1970 stands for an unknown one. */
function timesOf(fields: RecordFields) {
  const known = (name: string) => {
    const time = fields.findTime(name);
    return time === undefined || time < "1971" ? undefined : time;
  };
  const [updatedAt, closed] = [known("updated_at"), known("closed_at")];
  const created = known("created_at") ?? updatedAt ?? closed ?? new Date(0).toISOString();
  return { created, updated: updatedAt ?? closed ?? created, started: known("started_at"), closed };
}
