import { RalphError } from "../../domain/ralph-error.js";
import { uuidFrom } from "../../domain/sha256.js";
import type { Milestone } from "../../domain/tasks/action.js";
import type { CapacityChange } from "../../domain/tasks/attempt.js";
import {
  effectivenessRatings,
  type Reflection,
  reflectionTypes,
  triggers,
} from "../../domain/tasks/reflection.js";
import { numberOfTaskId, taskStatuses } from "../../domain/tasks/task.js";
import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import { defined, RecordFields, type SkippedParts, unusable } from "../fields.js";
import type { RecordSource, SourceFolder } from "../source-folder.js";
import { getFields, readAttempt, skipOthers } from "./read-attempt.js";
import { taskFiles, tasksFolder } from "./task-files.js";

/** The names of its tasks; there must be at least one. */
export function taskNames(source: SourceFolder): string[] {
  const names = source
    .folders(tasksFolder)
    .filter(
      (name) =>
        numberOfTaskId(name) !== undefined || source.has(`${tasksFolder}/${name}/${taskFiles.metadata}`),
    );
  if (names.length > 0) return names;
  throw new RalphError("not-found", `No tasks in ${source.directory}`, {
    hint: `tasks are expected in ${tasksFolder}/task-001 and so on`,
  });
}

export function readTask(source: RecordSource, name: string, skipped: SkippedParts): TaskHistory {
  const folder = `${tasksFolder}/${name}`;
  const path = `${folder}/${taskFiles.metadata}`;
  const fields = getFields(source, path).ignore("id", "current_attempt");
  const trajectory = readTrajectory(source, `${folder}/${taskFiles.trajectory}`);
  const numbers = attemptNumbers(source, `${folder}/${taskFiles.attempts}`, skipped);
  const attempts = withTrajectory(
    numbers.map(([id, attempt]) => {
      const trace = trajectory.attempts.get(id);
      return readAttempt(`${folder}/${taskFiles.attempts}/${attempt}`, {
        ...{ source, taskId: name, id, task: fields, trace, skipped },
      });
    }),
    trajectory,
    skipped,
  );
  const last = attempts.at(-1)?.id ?? 0;
  const counted = fields.findCount("total_attempts") ?? last;
  if (counted > last) skipped.add(path, `it counts ${counted} attempts, the last in the tree is ${last}`);
  const history: TaskHistory = {
    id: name,
    uuid:
      fields.findText("uuid") ?? uuidFrom(`${name} ${fields.time("created")} ${fields.text("description")}`),
    description: fields.text("description"),
    ...fields.pick({ completion_criteria: "text", completed: "time", agent: "text", phase: "text" }),
    ...fields.pick({ archived: "time", made_by: "text" }),
    created: fields.time("created"),
    updated: fields.time("updated", "created"),
    status: fields.oneOf("status", taskStatuses),
    current_attempt: last,
    total_attempts: last,
    tags: fields.texts("tags"),
    related_tasks: fields.texts("related_tasks"),
    constraints: fields.texts("constraints"),
    attempts,
    reflections: readReflections(source, { folder, name, skipped }),
    memory_capacity_changes: fields.records("memory_capacity_changes").map(readCapacityChange),
  };
  skipped.addUnread(path, fields);
  skipOthers(source, folder, Object.values(taskFiles), skipped);
  return history;
}

const maxAttempts = 1_000_000;

/** Attempt folders by number; numbers start at 1 and must be unique. */
function attemptNumbers(source: RecordSource, folder: string, skipped: SkippedParts): [number, string][] {
  const found = new Map<number, string>();
  for (const name of source.folders(folder).filter((each) => /^\d+$/.test(each))) {
    const number = Number(name);
    if (number < 1 || number > maxAttempts)
      throw unusable(source.place(`${folder}/${name}`), "is not a valid attempt number");
    if (found.has(number))
      throw unusable(source.place(`${folder}/${name}`), `is a duplicate of attempt ${number}`);
    found.set(number, name);
  }
  skipOthers(source, folder, [...found.values()], skipped);
  return [...found].sort(([one], [other]) => one - other);
}

/** Milestones, and what may be missing from the attempts' own files. */
interface Trajectory {
  path: string;
  fields: RecordFields | undefined;
  attempts: Map<number, RecordFields>;
}

function readTrajectory(source: RecordSource, path: string): Trajectory {
  const value = source.findJson(path);
  const fields =
    value === undefined ? undefined : new RecordFields(value, source.place(path)).ignore("task_id");
  const attempts = (fields?.records("attempts") ?? []).map((trace): [number, RecordFields] => [
    trace.ignore("started", "ended", "outcome", "plan", "actions", "iterations").count("attempt_id"),
    trace,
  ]);
  return { path, fields, attempts: new Map(attempts) };
}

function withTrajectory(
  attempts: readonly AttemptHistory[],
  { path, fields, attempts: traces }: Trajectory,
  skipped: SkippedParts,
): AttemptHistory[] {
  if (fields === undefined) return [...attempts];
  for (const id of traces.keys())
    if (!attempts.some((attempt) => attempt.id === id)) skipped.add(path, `attempt ${id} without a folder`);
  const milestones = fields.records("milestones").map((each) => readMilestone(each, attempts));
  for (const { attempt, milestone } of milestones)
    if (!attempts.some(({ id }) => id === attempt))
      skipped.add(path, `milestone ${JSON.stringify(milestone.event)} of no attempt`);
  const end = fields.pick({ final_quality: "share", completion_percent: "percent" });
  const last = attempts.findLast(({ outcome }) => outcome !== undefined);
  if (last === undefined && Object.keys(end).length > 0)
    skipped.add(path, `${Object.keys(end).join(" and ")} without an attempt that has ended`);
  skipped.addUnread(path, fields);
  return attempts.map((attempt) => ({
    ...attempt,
    ...(attempt === last && attempt.outcome !== undefined && { outcome: { ...end, ...attempt.outcome } }),
    milestones: milestones.filter((each) => each.attempt === attempt.id).map(({ milestone }) => milestone),
  }));
}

/** The published trajectory does not name a milestone's attempt, so its time decides. */
function readMilestone(
  fields: RecordFields,
  attempts: readonly AttemptHistory[],
): { attempt: number; milestone: Milestone } {
  const timestamp = fields.time("timestamp");
  const during = attempts.findLast(({ started }) => started <= timestamp) ?? attempts[0];
  const milestone = {
    timestamp,
    event: fields.text("event"),
    ...fields.pick({ details: "text" }),
  };
  return { attempt: fields.findCount("attempt_id") ?? during?.id ?? 0, milestone };
}

function readReflections(
  source: RecordSource,
  { folder, name: taskId, skipped }: { folder: string; name: string; skipped: SkippedParts },
): Reflection[] {
  const path = `${folder}/${taskFiles.reflections}`;
  return [...source.jsonLines(path)].map(({ value, place }) => {
    const fields = new RecordFields(value, place).ignore("task_id");
    const reflection = readReflection(fields, taskId);
    skipped.addUnread(path, fields);
    return reflection;
  });
}

function readReflection(fields: RecordFields, taskId: string): Reflection {
  const cost = fields.findRecord("cost");
  return {
    timestamp: fields.time("timestamp"),
    task_id: taskId,
    attempt_id: fields.count("attempt_id"),
    observation: fields.findText("observation") ?? fields.findText("learning") ?? fields.text("analysis"),
    analysis: fields.findText("analysis") ?? "",
    learning: fields.findText("learning") ?? "",
    action_items: fields.texts("action_items"),
    triggered_by: fields.findOneOf("triggered_by", triggers) ?? "manual",
    reflection_type: fields.findOneOf("reflection_type", reflectionTypes) ?? "process-improvement",
    ...defined({
      iteration: fields.findCount("iteration"),
      effectiveness: fields.findOneOf("effectiveness", effectivenessRatings),
      rated_by: fields.findOneOf("rated_by", ["person", "outcome"]),
      written_by: fields.findOneOf("written_by", ["rules", "runner", "person", "agent", "openai"]),
      cost: cost && {
        input_tokens: cost.count("input_tokens"),
        output_tokens: cost.count("output_tokens"),
        ...cost.pick({ usd: "number" }),
      },
    }),
  };
}

function readCapacityChange(fields: RecordFields): CapacityChange {
  return {
    attempt_id: fields.count("attempt_id"),
    timestamp: fields.time("timestamp"),
    from: fields.count("from"),
    to: fields.count("to"),
    reason: fields.text("reason"),
  };
}
