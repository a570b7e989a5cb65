import { isObject } from "../../domain/shape.js";
import type { IterationResult, Outcome } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";
import { unique } from "../../text/unique.js";
import { defined } from "../defined.js";
import type { FileMap } from "../file-map.js";
import { newAttempt, newTask } from "../new-task.js";
import { RecordFields, unusable } from "../record-fields.js";
import { type Iteration, iterationsOf } from "./iterations-of.js";

export interface LoopPlace {
  /** For messages. */
  place: string;
  /** Of its folder, if it has no id. */
  name: string;
  /** When it was last written, if it does not say. */
  modified: string | undefined;
}

const unknownTime = "1970-01-01T00:00:00.000Z";

/** The published name, and the one that its tool writes. */
export function findState(files: FileMap): string {
  return "session-state.json" in files ? "session-state.json" : "state.json";
}

/** A loop as a task with one attempt. */
export function taskOfLoop(files: FileMap, { place, name, modified }: LoopPlace): TaskHistory {
  const path = `${place}/${findState(files)}`;
  const state = files[findState(files)];
  if (!isObject(state)) throw unusable(path, "is not a JSON object");
  const fields = new RecordFields(state, path);
  const started = firstTime(fields, [
    "startTime",
    "startedAt",
    "started_at",
    "createdAt",
    "created",
    "timestamp",
  ]);
  const iterations = iterationsOf(files, path);
  const times = iterations.flatMap(({ timestamp }) => timestamp ?? []);
  const ended =
    firstTime(fields, [
      "endTime",
      "endedAt",
      "completedAt",
      "completed_at",
      "updatedAt",
      "lastUpdate",
      "lastUpdated",
    ]) ?? times.at(-1);
  const created = started ?? times[0] ?? ended ?? modified ?? unknownTime;
  const status = statusOf(fields.findText("status"));
  const id = firstText(fields, ["loopId", "loop_id", "sessionId", "session_id", "id"]) ?? name;
  const description = firstText(fields, ["objective", "description", "task", "prompt"]);
  if (description === undefined) throw unusable(path, 'has no "objective"');
  const isFinished = status === "completed" || status === "failed";
  const updated = ended ?? created;
  const criteria = firstText(fields, ["completionCriteria", "completion_criteria", "completion"]);
  const task = newTask({
    ...{ layout: "aiwg", id, description, created, updated, status },
    // Of a task that was exported from here.
    ...defined({ completion_criteria: criteria, uuid: fields.findText("uuid") }),
    ...(status === "completed" && { completed: updated }),
    reflections: iterations.flatMap((iteration) => reflectionsOf(iteration, { id, created })),
  });
  const attempt = newAttempt({
    ...{ id: 1, started: created, task },
    ...(isFinished && { ended: updated, outcome: outcomeOf(status, iterations) }),
    files: unique(iterations.flatMap(({ files: modifiedFiles }) => modifiedFiles)),
    errors_encountered: iterations.flatMap(({ errors }) =>
      errors.map((message) => ({ type: "error", message })),
    ),
    results: iterations.map(resultOf),
    execution: { iterations: Math.max(fields.findCount("currentIteration") ?? 0, iterations.length) },
  });
  return { ...task, attempts: [attempt], current_attempt: 1, total_attempts: 1 };
}

/** What runs elsewhere does not run here. */
function statusOf(word: string | undefined): TaskStatus {
  if (word === "completed" || word === "success") return "completed";
  return word !== undefined && /^(?:fail|abort|error|limit|cancel|timeout)/.test(word) ? "failed" : "paused";
}

function outcomeOf(status: TaskStatus, iterations: readonly Iteration[]): Outcome {
  const learned = (isWorking: boolean) =>
    unique(iterations.flatMap(({ isCompleted, learnings }) => (isCompleted === isWorking ? learnings : [])));
  return {
    status: status === "completed" ? "success" : "failure",
    what_worked: learned(true),
    what_didnt_work: [],
    suggestions_for_next_time: learned(false),
  };
}

function resultOf({ number, timestamp, isCompleted, quality, errors }: Iteration): IterationResult {
  return {
    iteration: number,
    ...defined({ timestamp, quality }),
    success: isCompleted,
    ...(errors.length > 0 && { trouble: errors.join("\n") }),
  };
}

function reflectionsOf(
  { number, status, isCompleted, timestamp, errors, learnings, reflection }: Iteration,
  { id, created }: { id: string; created: string },
): Reflection[] {
  if (learnings.length === 0 && errors.length === 0 && reflection === undefined) return [];
  return [
    {
      timestamp: timestamp ?? created,
      task_id: id,
      attempt_id: 1,
      iteration: number,
      observation: reflection ?? `Iteration ${number}: ${status}`,
      analysis: errors.join("\n"),
      learning: learnings.join("\n"),
      action_items: [],
      triggered_by: "iteration",
      reflection_type: isCompleted ? "success-pattern" : "error-analysis",
    },
  ];
}

function firstTime(fields: RecordFields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const time = fields.findTime(name);
    if (time !== undefined) return time;
  }
  return undefined;
}

function firstText(fields: RecordFields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = fields.findText(name);
    if (text !== undefined && text.trim() !== "") return text;
  }
  return undefined;
}
