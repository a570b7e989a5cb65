import type { TaskMemory } from "../../domain/tasks/task-memory.js";
import { unique } from "../../text/unique.js";
import { patchOriginal } from "../building/patch-original.js";
import { type CrossTaskOriginal, folders, memoryFrom } from "./original.js";

type Fields = Record<string, unknown>;

/** What was written about a task, with what has changed here. */
export function patchTask(original: CrossTaskOriginal, task: TaskMemory): CrossTaskOriginal {
  const before = memoryFrom(original, task.task_id);
  const after: TaskMemory = {
    ...task,
    task_id: before.task_id,
    // It is read from the description here; another tool may know better.
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
  const told = (memory: TaskMemory) => {
    const rendered: Fields = { ...memory, reflections: likeIn(value.reflections, memory) };
    if (!isPartly) return rendered;
    return Object.fromEntries(Object.entries(rendered).filter(([name]) => name in value));
  };
  return patchOriginal(value, told(before), told(after)) as Fields;
}

/** Some write reflections as texts. */
function likeIn(written: unknown, { reflections }: TaskMemory): unknown {
  const areTexts =
    Array.isArray(written) && written.length > 0 && written.every((one) => typeof one === "string");
  return areTexts ? reflections.map(({ content }) => content) : reflections;
}
