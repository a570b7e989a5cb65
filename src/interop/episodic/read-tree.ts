import { join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { type Action, isActionType, type Milestone } from "../../domain/tasks/action.js";
import { type IterationResult, type Outcome, outcomes } from "../../domain/tasks/attempt.js";
import type { CapacityChange } from "../../domain/tasks/capacity-change.js";
import {
  effectivenessRatings,
  type Reflection,
  reflectionTypes,
  triggers,
} from "../../domain/tasks/reflection.js";
import { numberOfTaskId, taskStatuses } from "../../domain/tasks/task.js";
import { uuidFrom } from "../../domain/uuid-from.js";
import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { findJson, findText, getJson, listFolders, listJsonLines } from "../read-plain-file.js";
import { RecordFields, unusable } from "../record-fields.js";
import { attemptFiles, resultFiles, taskFiles, tasksFolder } from "./task-tree.js";

/** All tasks of a tree; derived files are not read, except for milestones. */
export function readEpisodicTree(directory: string): TaskHistory[] {
  const folder = join(directory, tasksFolder);
  const names = listFolders(folder).filter((name) => numberOfTaskId(name) !== undefined);
  if (names.length === 0) {
    throw new RalphError("not-found", `No tasks in ${directory}`, {
      hint: `tasks are expected in ${tasksFolder}/task-001 and so on`,
    });
  }
  return names.map((name) => readTask(join(folder, name), name));
}

function readTask(folder: string, name: string): TaskHistory {
  const path = join(folder, taskFiles.metadata);
  const fields = new RecordFields(getJson(path), path);
  const milestones = readMilestones(join(folder, taskFiles.trajectory));
  const numbers = attemptNumbers(join(folder, taskFiles.attempts));
  const attempts = numbers
    .map(([number, attempt]) => readAttempt(join(folder, taskFiles.attempts, attempt), name, number, fields))
    .map((attempt) => ({ ...attempt, milestones: milestones.get(attempt.id) ?? [] }));
  return {
    id: name,
    uuid:
      fields.findText("uuid") ?? uuidFrom(`${name} ${fields.time("created")} ${fields.text("description")}`),
    description: fields.text("description"),
    ...defined({
      completion_criteria: fields.findText("completion_criteria"),
      completed: fields.findTime("completed"),
      agent: fields.findText("agent"),
      phase: fields.findText("phase"),
      archived: fields.findTime("archived"),
    }),
    created: fields.time("created"),
    updated: fields.findTime("updated") ?? fields.time("created"),
    status: fields.oneOf("status", taskStatuses),
    current_attempt: attempts.at(-1)?.id ?? 0,
    total_attempts: attempts.at(-1)?.id ?? 0,
    tags: fields.texts("tags"),
    related_tasks: fields.texts("related_tasks"),
    constraints: fields.texts("constraints"),
    attempts,
    reflections: readRecords(join(folder, taskFiles.reflections), (record) => readReflection(record, name)),
    memory_capacity_changes: fields.records("memory_capacity_changes").map(readCapacityChange),
  };
}

const maxAttempts = 1_000_000;

/** Attempt folders by number; numbers start at 1 and must be unique. */
function attemptNumbers(folder: string): [number, string][] {
  const found = new Map<number, string>();
  for (const name of listFolders(folder).filter((each) => /^\d+$/.test(each))) {
    const number = Number(name);
    if (number < 1 || number > maxAttempts)
      throw unusable(join(folder, name), "is not a valid attempt number");
    if (found.has(number)) throw unusable(join(folder, name), `is a duplicate of attempt ${number}`);
    found.set(number, name);
  }
  return [...found].sort(([one], [other]) => one - other);
}

function readAttempt(folder: string, taskId: string, id: number, task: RecordFields): AttemptHistory {
  const path = join(folder, attemptFiles.attempt);
  const fields = new RecordFields(getJson(path), path);
  const execution = fields.findRecord("execution");
  const plan = fields.findRecord("plan");
  const phase = task.findText("phase");
  const actions = readRecords(join(folder, attemptFiles.actions), readAction);
  const results = readResults(join(folder, attemptFiles.results), execution);
  const outcome = readOutcome(fields, join(folder, attemptFiles.outcome));
  return {
    id,
    task_id: taskId,
    started: fields.time("started"),
    ...defined({
      ended: fields.findTime("ended"),
      duration_seconds: fields.findNumber("duration_seconds"),
      git_commit: fields.findText("git_commit"),
      plan_text: findSafeText(join(folder, attemptFiles.plan)),
      outcome,
    }),
    plan: {
      approach: plan?.findText("approach") ?? task.text("description"),
      steps: plan?.texts("steps") ?? [],
      ...defined({ estimated_iterations: plan?.findCount("estimated_iterations") }),
    },
    context: {
      goal: task.text("description"),
      ...defined({ phase }),
      constraints: task.texts("constraints"),
      files_involved: fields.findRecord("context")?.texts("files_involved") ?? [],
    },
    execution: {
      ...defined({
        agent: execution?.findText("agent"),
        memory_capacity: execution?.findCount("memory_capacity"),
      }),
      iterations: execution?.findCount("iterations") ?? 0,
      actions_performed: execution?.findCount("actions_performed") ?? actions.length,
      quality_history: [],
    },
    errors_encountered: fields.records("errors_encountered").map((error) => ({
      type: error.text("type"),
      message: error.text("message"),
      ...defined({ resolution: error.findText("resolution") }),
    })),
    artifacts_produced: fields.texts("artifacts_produced"),
    actions,
    milestones: [],
    results,
  };
}

function readOutcome(attempt: RecordFields, path: string): Outcome | undefined {
  const separate = findJson(path);
  const fields =
    attempt.findRecord("outcome") ?? (separate === undefined ? undefined : new RecordFields(separate, path));
  if (fields === undefined) return undefined;
  return {
    status: fields.oneOf("status", outcomes),
    ...defined({
      reason: fields.findText("reason"),
      final_quality: fields.findNumber("final_quality", { most: 1 }),
      completion_percent: fields.findNumber("completion_percent", { most: 100 }),
    }),
    what_worked: fields.texts("what_worked"),
    what_didnt_work: fields.texts("what_didnt_work"),
    suggestions_for_next_time: fields.texts("suggestions_for_next_time"),
  };
}

/** Iteration results; without them, the quality history still gives the qualities. */
function readResults(folder: string, execution: RecordFields | undefined): IterationResult[] {
  const results = listFolders(folder).flatMap((name): IterationResult[] => {
    const iteration = /^iter-(\d+)$/.exec(name)?.[1];
    if (iteration === undefined) return [];
    const path = join(folder, name, resultFiles.result);
    const value = findJson(path);
    const fields = value === undefined ? undefined : new RecordFields(value, path);
    return [
      {
        iteration: Number(iteration),
        ...defined({
          timestamp: fields?.findTime("timestamp"),
          success: fields?.findBoolean("success"),
          quality: fields?.findNumber("quality", { most: 1 }),
          said: fields?.findText("said"),
          trouble: fields?.findText("trouble"),
          output: findSafeText(join(folder, name, resultFiles.output)),
        }),
      },
    ];
  });
  const rated = (execution?.records("quality_history") ?? []).map((point) => ({
    iteration: point.count("iteration"),
    ...defined({ quality: point.findNumber("quality", { most: 1 }) }),
  }));
  const known = new Set(results.map(({ iteration }) => iteration));
  return [...results, ...rated.filter(({ iteration }) => !known.has(iteration))];
}

function readAction(fields: RecordFields): Action {
  const type = fields.findText("type");
  const params = fields.findRecord("params") === undefined ? {} : fields.findAny("params");
  return {
    timestamp: fields.time("timestamp"),
    iteration: fields.findCount("iteration") ?? 1,
    ...(type !== undefined && isActionType(type) && { type }),
    tool: fields.findText("tool") ?? fields.text("type"),
    params: params as Record<string, unknown>,
    success: fields.findBoolean("success") ?? fields.findText("error") === undefined,
    ...defined({
      output: fields.findText("output"),
      error: fields.findText("error"),
      reasoning: fields.findText("reasoning"),
      expected_outcome: fields.findText("expected_outcome"),
    }),
  };
}

function readReflection(fields: RecordFields, taskId: string): Reflection {
  const cost = fields.findRecord("cost");
  return {
    timestamp: fields.time("timestamp"),
    task_id: taskId,
    attempt_id: fields.count("attempt_id"),
    observation: fields.text("observation"),
    analysis: fields.findText("analysis") ?? "",
    learning: fields.findText("learning") ?? "",
    action_items: fields.texts("action_items"),
    triggered_by: fields.oneOf("triggered_by", triggers),
    reflection_type: fields.oneOf("reflection_type", reflectionTypes),
    ...defined({
      iteration: fields.findCount("iteration"),
      effectiveness: fields.findOneOf("effectiveness", effectivenessRatings),
      rated_by: fields.findOneOf("rated_by", ["person", "outcome"]),
      written_by: fields.findOneOf("written_by", ["rules", "runner", "person", "agent", "openai"]),
      cost: cost && {
        input_tokens: cost.count("input_tokens"),
        output_tokens: cost.count("output_tokens"),
        ...defined({ usd: cost.findNumber("usd") }),
      },
    }),
  };
}

function readMilestones(path: string): Map<number, Milestone[]> {
  const value = findJson(path);
  const milestones = new Map<number, Milestone[]>();
  if (value === undefined) return milestones;
  for (const fields of new RecordFields(value, path).records("milestones")) {
    const attempt = fields.findCount("attempt_id") ?? 1;
    const milestone = {
      timestamp: fields.time("timestamp"),
      event: fields.text("event"),
      ...defined({ details: fields.findText("details") }),
    };
    milestones.set(attempt, [...(milestones.get(attempt) ?? []), milestone]);
  }
  return milestones;
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

function findSafeText(path: string): string | undefined {
  return redactDeep(findText(path));
}

function readRecords<Value>(path: string, read: (fields: RecordFields) => Value): Value[] {
  return listJsonLines(path).map(({ value, place }) => read(new RecordFields(value, place)));
}

/** Drops undefined fields. */
function defined<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
