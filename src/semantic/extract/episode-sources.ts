import type { ExtractedLearning } from "../../domain/knowledge/learning.js";
import { unique } from "../../text/unique.js";
import type { Episode } from "./episode.js";

const maxFiles = 20;

type EpisodeSources = Pick<ExtractedLearning, "sourceLoops" | "source_episodes" | "files" | "git_commit">;

/** The source fields of a learning drawn from these episodes. */
export function episodeSources(episodes: readonly Episode[]): EpisodeSources {
  const commit = episodes.findLast(({ git_commit }) => git_commit !== undefined)?.git_commit;
  return {
    sourceLoops: unique(episodes.map(({ task_id }) => task_id)),
    source_episodes: episodes.map(({ id }) => id),
    files: unique(episodes.flatMap(({ files }) => files)).slice(0, maxFiles),
    ...(commit !== undefined && { git_commit: commit }),
  };
}
