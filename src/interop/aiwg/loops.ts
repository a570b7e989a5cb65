import { isObject } from "../../domain/shape.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import { type ExportSource, renderBack } from "../export-source.js";
import { defined, RecordFields, unusable } from "../fields.js";
import { type FileMap, readFileMap, writeFileMap } from "../file-map.js";
import type { ReadOptions } from "../layout.js";
import { newTask } from "../records.js";
import { pathIn, type SourceFolder } from "../source-folder.js";
import type { TargetFolder } from "../target-folder.js";
import { type Iteration, iterationsOf } from "./loop-iterations.js";

export const loopsFolder = "ralph-external";

/** The loops, each in a folder with its state; files outside of loops are stored as they are. */
export function* readLoops(source: SourceFolder, { onSkipped }: ReadOptions): Generator<ForeignFile> {
  if (!source.has(loopsFolder)) return;
  const { loops, others } = splitLoops(readFileMap(source, loopsFolder, onSkipped));
  for (const [folder, files] of loops) {
    const path = folder === "" ? loopsFolder : `${loopsFolder}/${folder}`;
    const modified = source.findModified(`${path}/${stateFile(files)}`);
    const record = taskOfLoop(files, { place: source.place(path), name: folder || loopsFolder, modified });
    yield { file: path, records: [{ kind: "task", id: record.id, record, original: files }] };
  }
  const kept = Object.entries(others).map(
    ([path, original]): ForeignRecord => ({ kind: "kept", id: `${loopsFolder}/${path}`, original }),
  );
  if (kept.length > 0) yield { file: loopsFolder, records: kept };
}

/** A file belongs to the innermost enclosing folder with a state. */
function splitLoops(files: FileMap): { loops: Map<string, FileMap>; others: FileMap } {
  const folders = Object.keys(files)
    .filter((path) => /(?:^|\/)(?:session-)?state\.json$/.test(path))
    .map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/"))))
    .sort((one, other) => other.length - one.length);
  const loops = new Map<string, FileMap>(folders.map((folder) => [folder, {}]));
  const others: FileMap = {};
  for (const [path, value] of Object.entries(files)) {
    const folder = folders.find((each) => path.startsWith(pathIn(each, "")));
    const loop = folder === undefined ? others : (loops.get(folder) ?? others);
    loop[path.slice(pathIn(folder ?? "", "").length)] = value;
  }
  return { loops, others };
}

/** The published name, and the one the tool writes. */
function stateFile(files: FileMap): string {
  return "session-state.json" in files ? "session-state.json" : "state.json";
}

interface LoopPlace {
  /** For messages. */
  place: string;
  /** The name of its folder, if it has no id. */
  name: string;
  /** The file's modification time, if the loop has none. */
  modified: string | undefined;
}

/** A loop as a task with one attempt. */
function taskOfLoop(files: FileMap, { place, name, modified }: LoopPlace): TaskHistory {
  const path = `${place}/${stateFile(files)}`;
  const state = files[stateFile(files)];
  if (!isObject(state)) throw unusable(path, "is not a JSON object");
  const fields = new RecordFields(state, path);
  const iterations = iterationsOf(files, path);
  const times = iterations.flatMap(({ timestamp }) => timestamp ?? []);
  const started = fields.findTime(
    ...["startTime", "startedAt", "started_at", "createdAt", "created", "timestamp"],
  );
  const ended =
    fields.findTime(
      ...["endTime", "endedAt", "completedAt", "completed_at", "updatedAt", "lastUpdate", "lastUpdated"],
    ) ?? times.at(-1);
  const created = started ?? times[0] ?? ended ?? modified ?? new Date(0).toISOString();
  const id = fields.findWords("loopId", "loop_id", "sessionId", "session_id", "id") ?? name;
  const description = fields.findWords("objective", "description", "task", "prompt");
  if (description === undefined) throw unusable(path, 'has no "objective"');
  const learned = (isWorking: boolean) =>
    unique(iterations.flatMap(({ isCompleted, learnings }) => (isCompleted === isWorking ? learnings : [])));
  return newTask({
    ...{ layout: "aiwg", id, description, created, updated: ended },
    status: statusOf(fields.findText("status")),
    completion_criteria: fields.findWords("completionCriteria", "completion_criteria", "completion"),
    // Set if the task was exported from here.
    uuid: fields.findText("uuid"),
    reflections: iterations.flatMap((iteration) => reflectionsOf(iteration, { id, created })),
    attempt: {
      files: unique(iterations.flatMap(({ files: modifiedFiles }) => modifiedFiles)),
      errors_encountered: iterations.flatMap(({ errors }) =>
        errors.map((message) => ({ type: "error", message })),
      ),
      results: iterations.map(({ number, timestamp, isCompleted, quality, errors }) => ({
        iteration: number,
        ...defined({ timestamp, quality }),
        success: isCompleted,
        ...(errors.length > 0 && { trouble: errors.join("\n") }),
      })),
      execution: { iterations: Math.max(fields.findCount("currentIteration") ?? 0, iterations.length) },
      outcome: { what_worked: learned(true), suggestions_for_next_time: learned(false) },
    },
  });
}

/** A task that runs elsewhere does not run here. */
function statusOf(word: string | undefined): TaskStatus {
  if (word === "completed" || word === "success") return "completed";
  return word !== undefined && /^(?:fail|abort|error|limit|cancel|timeout)/.test(word) ? "failed" : "paused";
}

function reflectionsOf(
  { number, status, isCompleted, timestamp, errors, learnings, reflection }: Iteration,
  { id, created }: { id: string; created: string },
): Reflection[] {
  if (learnings.length === 0 && errors.length === 0 && reflection === undefined) return [];
  return [
    {
      ...{ timestamp: timestamp ?? created, task_id: id, attempt_id: 1, iteration: number },
      observation: reflection ?? `Iteration ${number}: ${status}`,
      analysis: errors.join("\n"),
      learning: learnings.join("\n"),
      ...{ action_items: [], triggered_by: "iteration" },
      reflection_type: isCompleted ? "success-pattern" : "error-analysis",
    },
  ];
}

/** Writes imported loops back, and returns their number; if there are none, the latest task is the current loop. */
export async function writeLoops(source: ExportSource, target: TargetFolder): Promise<number> {
  const { memory, rows } = source;
  const loops = rows.filter(({ kind, file }) => kind === "task" && file.startsWith(loopsFolder));
  for (const row of loops) {
    const files = row.original as FileMap;
    if (row.recordId?.startsWith("task-") !== true) {
      writeFileMap(target, row.file, files);
      continue;
    }
    const history = await memory.tasks.history(row.recordId, { isFull: true });
    const written = renderBack(row, history, {
      read: (original) =>
        taskOfLoop(original as FileMap, { place: row.file, name: row.foreignId, modified: history.created }),
      render: (task) => renderLoop({ ...task, id: row.foreignId }, stateFile(files)),
    });
    writeFileMap(target, row.file, written as FileMap);
  }
  for (const { kind, foreignId, original } of rows)
    if (kind === "kept" && foreignId.startsWith(`${loopsFolder}/`))
      writeFileMap(target, loopsFolder, { [foreignId.slice(loopsFolder.length + 1)]: original });
  const [latest] = loops.length > 0 ? [] : await memory.tasks.list({ limit: 1 });
  if (latest !== undefined) {
    const history = await memory.tasks.history(latest.id, { isFull: true });
    writeFileMap(target, loopsFolder, renderLoop(history, "state.json"));
  }
  return loops.length;
}

/** The state of a loop in its published form, and a file for each iteration; iterations of all attempts are numbered consecutively. */
function renderLoop(task: TaskHistory, stateName: string): FileMap {
  const { id, uuid, description, created, updated, status, attempts, reflections } = task;
  let before = 0;
  const iterations = attempts.flatMap((attempt) => {
    const first = before;
    before += Math.max(attempt.execution.iterations, ...attempt.results.map(({ iteration }) => iteration), 0);
    return attempt.results.map(({ iteration, success, timestamp, trouble }) => ({
      number: first + iteration,
      status: success ? "completed" : "failed",
      ...defined({ timestamp }),
      analysis: { progressMade: success === true, ...(trouble !== undefined && { errors: [trouble] }) },
      learnings: reflections
        .filter((each) => each.attempt_id === attempt.id && each.iteration === iteration)
        .flatMap(({ learning }) => learning || []),
      filesModified: attempt.context.files_involved,
    }));
  });
  const state = {
    ...{ loopId: id, uuid, objective: description, status: status === "paused" ? "running" : status },
    ...{ currentIteration: before, startTime: created, lastUpdate: updated, iterations },
  };
  const files = iterations.map((iteration) => [
    `iterations/iteration-${String(iteration.number).padStart(3, "0")}.json`,
    iteration,
  ]);
  return { [stateName]: state, ...Object.fromEntries(files) };
}
