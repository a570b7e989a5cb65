import { type Action, isActionType } from "../../domain/tasks/action.js";
import { type IterationResult, type Outcome, outcomes, qualityPoints } from "../../domain/tasks/attempt.js";
import type { AttemptHistory } from "../../episodic/history/query-history.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { unique } from "../../text/unique.js";
import { defined, RecordFields, type SkippedParts, unusable } from "../fields.js";
import type { RecordSource } from "../source-folder.js";
import { attemptFiles, resultFiles } from "./task-files.js";

/** What is known about an attempt from outside its folder. */
export interface AttemptSetting {
  source: RecordSource;
  taskId: string;
  id: number;
  task: RecordFields;
  /** Its entry in the task's trajectory. */
  trace: RecordFields | undefined;
  skipped: SkippedParts;
}

/** One attempt from its folder; the trajectory fills in what its files lack. */
export function readAttempt(folder: string, setting: AttemptSetting): AttemptHistory {
  const { source, taskId, id, task, trace, skipped } = setting;
  const path = `${folder}/${attemptFiles.attempt}`;
  const fields = getFields(source, path).ignore("id", "task_id", "duration_seconds");
  const execution = fields.findRecord("execution");
  const plan = fields.findRecord("plan");
  const context = fields.findRecord("context")?.ignore("goal", "phase", "constraints");
  const actions = readActions(source, `${folder}/${attemptFiles.actions}`, skipped);
  const outcome = readOutcome(fields, `${folder}/${attemptFiles.outcome}`, setting);
  const started =
    fields.findTime("started") ??
    trace?.findTime("started") ??
    actions[0]?.timestamp ??
    fields.time("started");
  const ended = fields.findTime("ended") ?? trace?.findTime("ended");
  if (ended !== undefined && outcome === undefined) skipped.add(path, 'field "ended": there is no outcome');
  const results = readResults(source, `${folder}/${attemptFiles.results}`, { execution, skipped });
  const attempt: AttemptHistory = {
    id,
    task_id: taskId,
    started,
    ...(outcome !== undefined && { ended: ended ?? actions.at(-1)?.timestamp ?? started, outcome }),
    ...fields.pick({ duration_seconds: "number", git_commit: "text", made_by: "text" }),
    ...defined({ plan_text: redactDeep(source.findText(`${folder}/${attemptFiles.plan}`)) }),
    plan: {
      approach: plan?.findText("approach") ?? trace?.findText("plan") ?? task.text("description"),
      steps: plan?.texts("steps") ?? [],
      ...plan?.pick({ estimated_iterations: "count" }),
    },
    context: {
      goal: task.text("description"),
      ...task.pick({ phase: "text" }),
      constraints: task.texts("constraints"),
      files_involved: context?.texts("files_involved") ?? [],
    },
    execution: {
      ...execution?.pick({ agent: "text", memory_capacity: "count" }),
      iterations: execution?.findCount("iterations") ?? trace?.findCount("iterations") ?? 0,
      actions_performed:
        execution?.findCount("actions_performed") ?? trace?.findCount("actions") ?? actions.length,
      quality_history: qualityPoints(results),
    },
    errors_encountered: fields.records("errors_encountered").map((error) => ({
      type: error.text("type"),
      message: error.text("message"),
      ...error.pick({ resolution: "text" }),
    })),
    artifacts_produced: fields.texts("artifacts_produced"),
    actions,
    milestones: [],
    results,
  };
  skipped.addUnread(path, fields);
  skipOthers(source, folder, Object.values(attemptFiles), skipped);
  return attempt;
}

/** The fields of a required file. */
export function getFields(source: RecordSource, path: string): RecordFields {
  const value = source.findJson(path);
  if (value === undefined) throw unusable(source.place(path), "is missing");
  return new RecordFields(value, source.place(path));
}

/** Reports the files of a folder that the layout does not define. */
export function skipOthers(
  source: RecordSource,
  folder: string,
  known: readonly string[],
  skipped: SkippedParts,
): void {
  for (const name of source.list(folder))
    if (!known.includes(name)) skipped.add(`${folder}/${name}`, "not part of the layout");
}

/**
 * The outcome is in its own file, in the attempt's file, or in both. Where they differ, its own file takes precedence, as it is written
 * last; lists are joined.
 */
function readOutcome(
  attempt: RecordFields,
  path: string,
  { source, trace, skipped }: AttemptSetting,
): Outcome | undefined {
  const separate = source.findJson(path);
  const own = separate === undefined ? undefined : new RecordFields(separate, source.place(path));
  const inside = attempt.findRecord("outcome");
  const sources = [own, inside].flatMap((fields) => fields ?? []);
  const first = <Value>(name: string, read: (fields: RecordFields) => Value | undefined) => {
    const [value, other] = new Set(sources.flatMap((fields) => read(fields) ?? []));
    if (other !== undefined)
      skipped.add(path, `"${name}" of ${attemptFiles.attempt} (${JSON.stringify(other)}) differs`);
    return value;
  };
  const all = (name: string) => unique(sources.flatMap((fields) => fields.texts(name)));
  const status =
    first("status", (fields) => fields.findOneOf("status", outcomes)) ??
    trace?.findOneOf("outcome", outcomes) ??
    // Throws, naming the missing field.
    sources[0]?.oneOf("status", outcomes);
  if (status === undefined) return undefined;
  const outcome = {
    status,
    ...defined({
      reason: first("reason", (fields) => fields.findText("reason")),
      final_quality: first("final_quality", (fields) => fields.findNumber("final_quality", { most: 1 })),
      completion_percent: first("completion_percent", (fields) =>
        fields.findNumber("completion_percent", { most: 100 }),
      ),
    }),
    what_worked: all("what_worked"),
    what_didnt_work: all("what_didnt_work"),
    suggestions_for_next_time: all("suggestions_for_next_time"),
  };
  if (own !== undefined) skipped.addUnread(path, own);
  return outcome;
}

/** Iteration results; the quality history fills in missing quality. */
function readResults(
  source: RecordSource,
  folder: string,
  { execution, skipped }: { execution: RecordFields | undefined; skipped: SkippedParts },
): IterationResult[] {
  const results = new Map<number, IterationResult>();
  for (const point of execution?.records("quality_history") ?? []) {
    const iteration = point.ignore("delta").count("iteration");
    results.set(iteration, { iteration, ...point.pick({ quality: "share" }) });
  }
  const folders = source.folders(folder).filter((name) => iterationPattern.test(name));
  for (const name of folders) {
    const result = readResult(source, `${folder}/${name}`, Number(iterationPattern.exec(name)?.[1]), skipped);
    results.set(result.iteration, { ...results.get(result.iteration), ...result });
  }
  skipOthers(source, folder, folders, skipped);
  return [...results.values()].sort((one, other) => one.iteration - other.iteration);
}

const iterationPattern = /^iter-(\d+)$/;

function readResult(
  source: RecordSource,
  folder: string,
  iteration: number,
  skipped: SkippedParts,
): IterationResult {
  const path = `${folder}/${resultFiles.result}`;
  const fields = new RecordFields(source.findJson(path) ?? {}, source.place(path)).ignore("iteration");
  const result = {
    iteration,
    ...fields.pick({
      timestamp: "time",
      success: "boolean",
      quality: "share",
      said: "text",
      trouble: "text",
    }),
    ...defined({ output: redactDeep(source.findText(`${folder}/${resultFiles.output}`)) }),
  };
  skipped.addUnread(path, fields);
  skipOthers(source, folder, Object.values(resultFiles), skipped);
  return result;
}

function readActions(source: RecordSource, path: string, skipped: SkippedParts): Action[] {
  return [...source.jsonLines(path)].map(({ value, place }) => {
    const fields = new RecordFields(value, place);
    const action = readAction(fields, path, skipped);
    skipped.addUnread(path, fields);
    return action;
  });
}

function readAction(fields: RecordFields, path: string, skipped: SkippedParts): Action {
  const type = fields.findText("type");
  const tool = fields.findText("tool") ?? fields.text("type");
  const isKnown = type !== undefined && isActionType(type);
  if (type !== undefined && !isKnown && type !== tool) skipped.add(path, `type ${JSON.stringify(type)}`);
  return {
    timestamp: fields.time("timestamp"),
    iteration: fields.findCount("iteration") ?? 1,
    ...(isKnown && { type }),
    tool,
    params: fields.findObject("params") ?? {},
    success: fields.findBoolean("success") ?? fields.findText("error") === undefined,
    ...fields.pick({ output: "text", error: "text", reasoning: "text", expected_outcome: "text" }),
  };
}
