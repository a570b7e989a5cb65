import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import { RecordFields, unusable } from "../fields.js";
import { pathIn, type SourceFolder } from "../source-folder.js";
import { type CrossTaskOriginal, folders, indexFile, memoryFrom, taskOfMemory } from "./task-memory.js";

/** The tasks of the index, and those that only have their own file. */
export function* readCrossTask(source: SourceFolder, folder: string, layout: string): Generator<ForeignFile> {
  const path = pathIn(folder, indexFile);
  const { tasks, ...index } = readIndex(source, path);
  yield { file: path, records: [{ kind: "kept", id: path, original: index }] };
  const files = ownFiles(source, folder);
  for (const [place, entry] of tasks.entries()) {
    const id = new RecordFields(entry, `${source.place(path)}, task ${place + 1}`).text("task_id");
    yield toFile({ entry, files: files.take(id) }, id);
  }
  for (const id of files.rest()) yield toFile({ files: files.take(id) }, id);

  function toFile(original: CrossTaskOriginal, id: string): ForeignFile {
    const record = taskOfMemory(memoryFrom(original, `${source.place(path)}, task ${id}`), layout);
    return { file: path, records: [{ kind: "task", id, record, original }] };
  }
}

function readIndex(
  source: SourceFolder,
  path: string,
): Record<string, unknown> & { tasks: Record<string, unknown>[] } {
  const index = source.findJson(path);
  if (index === undefined)
    throw new RalphError("not-found", `There is no ${indexFile} in ${source.directory}`, {
      hint: "name its folder, such as .aiwg/ralph/memory",
    });
  if (!isObject(index)) throw unusable(source.place(path), "is not an index of tasks");
  const { tasks = [] } = index;
  if (!Array.isArray(tasks)) throw unusable(source.place(path), 'is invalid: "tasks" is not a list');
  const wrong = tasks.findIndex((task) => !isObject(task));
  if (wrong >= 0) throw unusable(source.place(path), `is invalid: task ${wrong + 1} is not a JSON object`);
  return { ...index, tasks };
}

/** Files by the id of the task in their name, each read on demand. */
function ownFiles(source: SourceFolder, folder: string) {
  const byId = new Map<string, string[]>();
  for (const name of Object.values(folders))
    for (const file of source.list(pathIn(folder, name)))
      if (file.endsWith(".json")) {
        const id = file.slice(0, -".json".length);
        byId.set(id, [...(byId.get(id) ?? []), `${name}/${file}`]);
      }
  return {
    take(id: string): CrossTaskOriginal["files"] {
      const paths = byId.get(id) ?? [];
      byId.delete(id);
      return Object.fromEntries(paths.map((path) => [path, getObject(source, pathIn(folder, path))]));
    },
    /** Reflections and vectors alone do not reveal the task. */
    rest: () =>
      [...byId].flatMap(([id, paths]) => (paths.some((path) => path.startsWith(folders.tasks)) ? [id] : [])),
  };
}

function getObject(source: SourceFolder, path: string): Record<string, unknown> {
  const value = source.findJson(path);
  if (isObject(value)) return value;
  throw unusable(source.place(path), "is not a JSON object");
}
