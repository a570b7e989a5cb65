import type { TaskMemory, TaskMemoryReflection } from "../../domain/tasks/task-memory.js";
import { defined } from "../defined.js";
import { RecordFields } from "../record-fields.js";

/** What is written about one task: its entry in the index, and files of its own. */
export interface CrossTaskOriginal {
  entry?: Record<string, unknown>;
  /** By their paths. */
  files: Record<string, Record<string, unknown>>;
}

export const indexFile = "task-index.json";
export const folders = { tasks: "tasks", reflections: "reflections", embeddings: "embeddings" } as const;

/** What all of it says together; a file of its own says more than the entry, and is later. */
export function memoryFrom({ entry, files }: CrossTaskOriginal, place: string): TaskMemory {
  const ofFolder = (folder: string) =>
    Object.entries(files).flatMap(([path, value]) => (path.startsWith(`${folder}/`) ? [value] : []));
  const told = Object.assign({}, entry, ...ofFolder(folders.reflections), ...ofFolder(folders.tasks));
  const fields = new RecordFields(told, place);
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
    iterations: countOf(told.iterations),
    reflections: reflectionsOf(told.reflections),
    key_learnings: fields.texts("key_learnings"),
    tags: fields.texts("tags"),
  };
}

const outcomes = ["success", "partial", "failure"] as const;

/** A number, or a list of them. */
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
