import type { TaskHistory } from "../../episodic/history/query-history.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import { defined } from "../defined.js";
import type { FileMap } from "../file-map.js";
import { newTask } from "../new-task.js";
import type { SourceFolder } from "../source-folder.js";
import { attemptOf, type Episode, openEpisode } from "./episode.js";
import { folders } from "./places.js";

const episodeFile = /^episodic\/[^/]+\/[^/]+\.json$/;

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

export interface PlacedEpisode extends Episode {
  path: string;
}

/** In the order of time. */
export function episodesIn(files: FileMap): PlacedEpisode[] {
  return Object.entries(files)
    .map(([path, value]) => ({ ...openEpisode(value, path), path }))
    .sort((one, other) => (one.started + one.id < other.started + other.id ? -1 : 1));
}

/** A task with an attempt for each of its episodes. */
export function taskOfEpisodes(files: FileMap): TaskHistory {
  const episodes = episodesIn(files);
  const attempts = episodes.map((episode, index) => attemptOf(episode, index + 1));
  const [first] = episodes;
  const last = attempts.at(-1);
  const created = first?.started ?? "";
  const updated = last?.ended ?? last?.started ?? created;
  const isDone = last?.outcome?.status === "success";
  const contexts = attempts.map(({ context }) => context);
  return newTask({
    ...{ layout: "loki", id: first?.taskId ?? "", created, updated, attempts },
    description: contexts[0]?.goal ?? "",
    status: last?.outcome === undefined ? "paused" : isDone ? "completed" : "failed",
    ...(isDone && { completed: updated }),
    constraints: unique(contexts.flatMap(({ constraints }) => constraints)),
    ...defined({
      agent: last?.execution.agent,
      phase: contexts.findLast(({ phase }) => phase !== undefined)?.phase,
      // Of a task that was exported from here.
      uuid: first?.fields.findText("uuid"),
    }),
  });
}
