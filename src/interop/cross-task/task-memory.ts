import { effectivenessRatings, type Reflection, type ReflectionType } from "../../domain/tasks/reflection.js";
import {
  type TaskMemory,
  type TaskMemoryReflection,
  taskMemoryReflectionTypes,
} from "../../domain/tasks/task-memory.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";
import { unique } from "../../text/unique.js";
import { patchOriginal } from "../export-source.js";
import { defined, RecordFields } from "../fields.js";
import { newTask } from "../records.js";

/** The files about one task: its entry in the index, and its own files. */
export interface CrossTaskOriginal {
  entry?: Record<string, unknown>;
  /** By path. */
  files: Record<string, Record<string, unknown>>;
}

export const indexFile = "task-index.json";
export const folders = { tasks: "tasks", reflections: "reflections", embeddings: "embeddings" } as const;

/** Merges the entry and all files; the task's own file has more than the entry, and is written later. */
export function memoryFrom({ entry, files }: CrossTaskOriginal, place: string): TaskMemory {
  const ofFolder = (folder: string) =>
    Object.entries(files).flatMap(([path, value]) => (path.startsWith(`${folder}/`) ? [value] : []));
  const merged = Object.assign({}, entry, ...ofFolder(folders.reflections), ...ofFolder(folders.tasks));
  const fields = new RecordFields(merged, place);
  const outcome = fields.findText("outcome");
  return {
    task_id: fields.text("task_id"),
    task_description: fields.text("task_description"),
    timestamp: fields.time("timestamp"),
    ...defined({
      task_type: fields.findText("task_type"),
      outcome: outcomes.find((word) => word === outcome),
      final_quality: fields.findNumber("final_quality"),
    }),
    iterations: countOf(merged.iterations),
    reflections: reflectionsOf(merged.reflections),
    key_learnings: fields.texts("key_learnings"),
    tags: fields.texts("tags"),
  };
}

const outcomes = ["success", "partial", "failure"] as const;

/** A number, or a list to count. */
function countOf(iterations: unknown): number {
  if (Array.isArray(iterations)) return iterations.length;
  return typeof iterations === "number" && Number.isSafeInteger(iterations) && iterations >= 0
    ? iterations
    : 0;
}

/** Texts, or records with a text. */
function reflectionsOf(given: unknown): TaskMemoryReflection[] {
  if (!Array.isArray(given)) return [];
  return given.flatMap((each): TaskMemoryReflection[] => {
    if (typeof each === "string") return [{ content: each, type: "strategy_change" }];
    const { content, type, iteration, effectiveness } = Object(each) as Partial<TaskMemoryReflection>;
    if (typeof content !== "string") return [];
    return [
      {
        ...(typeof iteration === "number" && { iteration }),
        content,
        type: typeOf(type),
        ...(effectiveness !== undefined && { effectiveness }),
      },
    ];
  });
}

function typeOf(word: unknown): TaskMemoryReflection["type"] {
  const known = ["error_analysis", "success_pattern", "constraint_discovery"] as const;
  return known.find((each) => each === word) ?? "strategy_change";
}

/** The task of such a memory, with one attempt and its outcome. */
export function taskOfMemory(memory: TaskMemory, layout: string): TaskHistory {
  const { task_id: id, task_description: description, timestamp, outcome, final_quality } = memory;
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  return newTask({
    ...{ layout, id, description, created: timestamp, tags: memory.tags },
    uuid: isUuid ? id : undefined,
    status: outcome === undefined ? "paused" : outcome === "success" ? "completed" : "failed",
    reflections: memory.reflections.map((reflection) => toReflection(reflection, memory)),
    attempt: {
      execution: { iterations: memory.iterations },
      outcome: { final_quality: qualityOf(outcome, final_quality), what_worked: memory.key_learnings },
    },
  });
}

/** From 0 to 1; a partly completed task has some. */
function qualityOf(outcome: TaskMemory["outcome"], quality: number | undefined): number | undefined {
  if (quality === undefined) return outcome === "partial" ? 0.5 : undefined;
  return Math.min(1, Math.max(0, quality > 1 ? quality / 100 : quality));
}

function toReflection(
  { content, type, iteration, effectiveness }: TaskMemoryReflection,
  { task_id, timestamp, outcome }: TaskMemory,
): Reflection {
  return {
    timestamp,
    task_id,
    attempt_id: 1,
    ...(iteration !== undefined && { iteration }),
    observation: content,
    analysis: "",
    learning: "",
    action_items: [],
    triggered_by: outcome === "success" ? "success" : outcome === undefined ? "manual" : "failure",
    reflection_type: reflectionTypeOf(type),
    ...defined({ effectiveness: effectivenessRatings.find((rating) => rating === effectiveness) }),
  };
}

function reflectionTypeOf(type: TaskMemoryReflection["type"]): ReflectionType {
  const known = Object.entries(taskMemoryReflectionTypes) as [ReflectionType, string][];
  return known.find(([, word]) => word === type)?.[0] ?? "process-improvement";
}

type Fields = Record<string, unknown>;

/** The original files of a task with later changes applied. */
export function patchTask(original: CrossTaskOriginal, task: TaskMemory): CrossTaskOriginal {
  const before = memoryFrom(original, task.task_id);
  const after: TaskMemory = {
    ...task,
    task_id: before.task_id,
    // It is derived from the description here; another tool may know better.
    ...(before.task_type !== undefined && { task_type: before.task_type }),
    key_learnings: unique([...before.key_learnings, ...task.key_learnings]),
  };
  const { entry, files } = original;
  const hasOwnFile = Object.keys(files).some((path) => path.startsWith(folders.tasks));
  return {
    ...(entry !== undefined && { entry: patch(entry, before, after, hasOwnFile) }),
    files: Object.fromEntries(
      Object.entries(files).map(([path, value]) => [
        path,
        path.startsWith(folders.embeddings)
          ? value
          : patch(value, before, after, path.startsWith(folders.reflections)),
      ]),
    ),
  };
}

function patch(value: Fields, before: TaskMemory, after: TaskMemory, isPartly: boolean): Fields {
  const render = (memory: TaskMemory) => {
    const rendered: Fields = { ...memory, reflections: likeIn(value.reflections, memory) };
    if (!isPartly) return rendered;
    return Object.fromEntries(Object.entries(rendered).filter(([name]) => name in value));
  };
  return patchOriginal(value, render(before), render(after)) as Fields;
}

/** Some tools write reflections as texts. */
function likeIn(written: unknown, { reflections }: TaskMemory): unknown {
  const areTexts =
    Array.isArray(written) && written.length > 0 && written.every((one) => typeof one === "string");
  return areTexts ? reflections.map(({ content }) => content) : reflections;
}
