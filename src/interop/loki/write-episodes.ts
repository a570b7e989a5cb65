import { sha256 } from "../../domain/sha256.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";
import { type ExportSource, renderBack } from "../export-source.js";
import type { FileMap } from "../file-map.js";
import type { TargetFolder } from "../target-folder.js";
import { renderEpisode } from "./episode.js";
import { episodeIndex, indexAuthor, style } from "./places.js";
import { episodesIn, taskOfEpisodes } from "./read-episodes.js";

interface EpisodeName {
  path: string;
  id: string;
}

/** A file for each attempt that has ended, and an index of them by time. */
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
  let done = 0;
  for (const { id } of tasks) {
    const row = source.originalOf("task", id);
    const history = await memory.tasks.history(id, { isFull: true });
    const known = row === undefined ? [] : episodesIn(row.original as FileMap);
    const taskId = row?.foreignId ?? id;
    const files = renderBack(row, history, {
      read: (original) => taskOfEpisodes(original as FileMap),
      render: (task) => renderTask(task, { taskId, known, uuid: history.uuid }),
    });
    write(files as FileMap);
    done += 1;
    source.onProgress(done, tasks.length);
  }
  for (const { original } of source.heldBack("task")) write(original as FileMap);
  if (index.length > 0 && !hasOwnIndex(source)) {
    const episodes = index.sort((one, other) => (String(one.timestamp) < String(other.timestamp) ? -1 : 1));
    const last = episodes.at(-1)?.timestamp;
    target.json(
      episodeIndex,
      { version: "1.0", written_by: indexAuthor, last_updated: last, episodes },
      style,
    );
  }
  return index.length;
}

/** One that its tool wrote, which is written back as it was. */
function hasOwnIndex({ rows }: ExportSource): boolean {
  return rows.some(({ kind, foreignId }) => kind === "kept" && foreignId === episodeIndex);
}

function renderTask(
  task: TaskHistory,
  { taskId, known, uuid }: { taskId: string; known: readonly EpisodeName[]; uuid: string },
): FileMap {
  const ended = task.attempts.filter(({ outcome }, index) => outcome !== undefined || index < known.length);
  return Object.fromEntries(
    ended.map((attempt, index) => {
      const { path, id } = known[index] ?? newName(uuid, attempt.id, attempt.started);
      const isOwn = known.length === 0;
      return [path, { ...renderEpisode(attempt, { id, taskId, task }), ...(isOwn && { uuid }) }];
    }),
  );
}

/** `ep-<date>-<8 hex>`, the same each time. */
function newName(uuid: string, attempt: number, started: string): EpisodeName {
  const date = started.slice(0, 10);
  const id = `ep-${date}-${sha256(`${uuid} ${attempt}`).slice(0, 8)}`;
  return { id, path: `episodic/${date}/task-${id}.json` };
}
