import { sha256 } from "../../domain/sha256.js";
import { subjectOf } from "../../domain/tasks/action.js";
import type { Outcome } from "../../domain/tasks/attempt.js";
import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import { type ExportSource, renderBack } from "../export-source.js";
import { defined, RecordFields } from "../fields.js";
import type { FileMap } from "../file-map.js";
import { newAction, newAttempt, newTask } from "../records.js";
import type { SourceFolder } from "../source-folder.js";
import type { TargetFolder } from "../target-folder.js";
import { episodeIndex, folders, indexAuthor, style } from "./places.js";

const episodeFile = /^episodic\/[^/]+\/[^/]+\.json$/;
const episodeOutcomes = ["success", "failure", "partial"] as const;

/** The files of each task, and the task of each episode. */
export interface EpisodeFiles {
  byTask: ReadonlyMap<string, readonly string[]>;
  taskOf: ReadonlyMap<string, string>;
}

export function isEpisodeFile(path: string): boolean {
  return episodeFile.test(path);
}

/** Several episodes can be about one task, on different days. */
export function findEpisodes(source: SourceFolder): EpisodeFiles {
  const byTask = new Map<string, string[]>();
  const taskOf = new Map<string, string>();
  for (const path of source.walk(folders.episodes)) {
    if (!isEpisodeFile(path)) continue;
    const { id, taskId } = openEpisode(source.findJson(path), source.place(path));
    byTask.set(taskId, [...(byTask.get(taskId) ?? []), path]);
    taskOf.set(id, taskId);
  }
  return { byTask, taskOf };
}

export function* readEpisodes(source: SourceFolder, { byTask }: EpisodeFiles): Generator<ForeignFile> {
  for (const [taskId, paths] of byTask) {
    const files: FileMap = Object.fromEntries(paths.map((path) => [path, source.findJson(path)]));
    const record = taskOfEpisodes(files);
    yield { file: paths[0] ?? "", records: [{ kind: "task", id: taskId, record, original: files }] };
  }
}

interface Episode {
  id: string;
  taskId: string;
  started: string;
  fields: RecordFields;
}

function openEpisode(value: unknown, place: string): Episode {
  const fields = new RecordFields(value, place);
  const id = fields.text("id");
  return { id, taskId: fields.findText("task_id") || id, started: fields.time("timestamp"), fields };
}

/** Sorted by time. */
function episodesIn(files: FileMap): (Episode & { path: string })[] {
  return Object.entries(files)
    .map(([path, value]) => ({ ...openEpisode(value, path), path }))
    .sort((one, other) => (one.started + one.id < other.started + other.id ? -1 : 1));
}

/** A task with an attempt for each of its episodes. */
function taskOfEpisodes(files: FileMap): TaskHistory {
  const episodes = episodesIn(files);
  const attempts = episodes.map((episode, index) => attemptOf(episode, index + 1));
  const [first] = episodes;
  const last = attempts.at(-1);
  const contexts = attempts.map(({ context }) => context);
  const end = last?.outcome?.status;
  return newTask({
    ...{ layout: "loki", id: first?.taskId ?? "", created: first?.started ?? "", attempts },
    updated: last?.ended ?? last?.started,
    description: contexts[0]?.goal ?? "",
    status: end === undefined ? "paused" : end === "success" ? "completed" : "failed",
    constraints: unique(contexts.flatMap(({ constraints }) => constraints)),
    agent: last?.execution.agent,
    phase: contexts.findLast(({ phase }) => phase !== undefined)?.phase,
    // Set if the task was exported from here.
    uuid: first?.fields.findText("uuid"),
  });
}

/** The trace of one episode as an attempt. */
function attemptOf({ fields, id, taskId, started }: Episode, number: number): AttemptHistory {
  const context = fields.findRecord("context");
  const seconds = fields.findNumber("duration_seconds");
  const status = fields.findOneOf("outcome", episodeOutcomes);
  return newAttempt({
    ...{ id: number, started, duration_seconds: seconds },
    ...(status !== undefined && { ended: addSeconds(started, seconds), outcome: outcomeOf(status) }),
    git_commit: fields.findText("git_commit") || undefined,
    task: {
      id: taskId,
      description: context?.findText("goal") || id,
      ...defined({ phase: context?.findText("phase") || undefined }),
      constraints: context?.texts("constraints") ?? [],
    },
    files: context?.texts("files_involved") ?? [],
    actions: fields.records("action_log").map((action) => actionOf(action, started)),
    errors_encountered: fields.records("errors_encountered").map((error) => ({
      type: error.findText("type") || "error",
      message: error.findText("message") ?? "",
      ...defined({ resolution: error.findText("resolution") || undefined }),
    })),
    artifacts_produced: fields.texts("artifacts_produced"),
    execution: { agent: fields.findText("agent") || undefined },
  });
}

/** Marks a partial outcome, for which records here have no word. */
const partly = "partial";

function outcomeOf(status: (typeof episodeOutcomes)[number]): Outcome {
  return {
    status: status === "success" ? "success" : "failure",
    ...(status === "partial" && { reason: partly }),
    ...{ what_worked: [], what_didnt_work: [], suggestions_for_next_time: [] },
  };
}

const failedResult = /^(?:fail\w*|error)\b/i;

function actionOf(fields: RecordFields, started: string) {
  const target = fields.findText("target") || undefined;
  const output = fields.findText("result");
  const error = fields.findText("error") || undefined;
  return newAction({
    timestamp: addSeconds(started, fields.findNumber("t")),
    tool: fields.findText("action") || "action",
    params: target === undefined ? {} : { path: target },
    success: error === undefined && !failedResult.test(output ?? ""),
    ...{ output, error },
  });
}

/** Writes a file for each finished attempt, and an index of them by time. */
export async function writeEpisodes(source: ExportSource, target: TargetFolder): Promise<number> {
  const { memory } = source;
  const index: Record<string, unknown>[] = [];
  const write = (files: FileMap) => {
    for (const [path, episode] of Object.entries(files)) {
      target.json(path, episode, style);
      const { id, task_id, timestamp, outcome } = episode as Record<string, unknown>;
      index.push({ id, task_id, timestamp, outcome, path });
    }
  };
  const tasks = (await memory.tasks.list({ includesArchived: true })).toReversed();
  for (const [done, { id }] of tasks.entries()) {
    const row = source.originalOf("task", id);
    const history = await memory.tasks.history(id, { isFull: true });
    const known = row === undefined ? [] : episodesIn(row.original as FileMap);
    const files = renderBack(row, history, {
      read: (original) => taskOfEpisodes(original as FileMap),
      render: (task) => renderTask(task, { taskId: row?.foreignId ?? id, known, uuid: history.uuid }),
    });
    write(files as FileMap);
    source.onProgress(done + 1, tasks.length);
  }
  for (const { original } of source.heldBack("task")) write(original as FileMap);
  // An index written by loki is written back unchanged.
  if (index.length > 0 && source.kept(episodeIndex) === undefined) {
    const episodes = index.sort((one, other) => (String(one.timestamp) < String(other.timestamp) ? -1 : 1));
    const last = episodes.at(-1)?.timestamp;
    const document = { version: "1.0", written_by: indexAuthor, last_updated: last, episodes };
    target.json(episodeIndex, document, style);
  }
  return index.length;
}

interface EpisodeName {
  path: string;
  id: string;
}

function renderTask(
  task: TaskHistory,
  { taskId, known, uuid }: { taskId: string; known: readonly EpisodeName[]; uuid: string },
): FileMap {
  const ended = task.attempts.filter(({ outcome }, index) => outcome !== undefined || index < known.length);
  return Object.fromEntries(
    ended.map((attempt, index) => {
      const { path, id } = known[index] ?? newName(uuid, attempt);
      const isOwn = known.length === 0;
      return [path, { ...renderEpisode(attempt, { id, taskId, task }), ...(isOwn && { uuid }) }];
    }),
  );
}

/** `ep-<date>-<8 hex>`, derived from the task and attempt. */
function newName(uuid: string, { id: attempt, started }: AttemptHistory): EpisodeName {
  const date = started.slice(0, 10);
  const id = `ep-${date}-${sha256(`${uuid} ${attempt}`).slice(0, 8)}`;
  return { id, path: `episodic/${date}/task-${id}.json` };
}

/** An attempt in the published form. */
function renderEpisode(
  attempt: AttemptHistory,
  { id, taskId, task }: { id: string; taskId: string; task: TaskHistory },
): Record<string, unknown> {
  const { started, ended, duration_seconds, context, execution, outcome } = attempt;
  return {
    id,
    task_id: taskId,
    timestamp: started,
    duration_seconds: duration_seconds ?? secondsBetween(started, ended ?? started),
    ...defined({ agent: execution.agent ?? task.agent }),
    context: {
      ...defined({ phase: context.phase ?? task.phase }),
      goal: context.goal,
      constraints: unique([...task.constraints, ...context.constraints]),
      files_involved: context.files_involved,
    },
    action_log: attempt.actions.map((action) => ({
      t: secondsBetween(started, action.timestamp),
      action: action.tool,
      ...defined({
        target: subjectOf(action) || undefined,
        result: action.output ?? (action.success ? undefined : "fail"),
        error: action.error,
      }),
    })),
    ...(outcome !== undefined && { outcome: wordOf(outcome) }),
    errors_encountered: attempt.errors_encountered,
    artifacts_produced: attempt.artifacts_produced,
    ...defined({ git_commit: attempt.git_commit }),
  };
}

function wordOf({ status, reason, final_quality: quality = 0 }: Outcome): string {
  if (status === "success") return "success";
  return reason === partly || quality > 0 ? "partial" : "failure";
}

function addSeconds(time: string, seconds = 0): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString();
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
}
