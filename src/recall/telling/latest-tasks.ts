import type { Repositories } from "../../store/store.js";
import type { CandidateSource } from "../candidate-source.js";
import type { SimilarityParts } from "../similar/task-similarity.js";
import { similarTasks as weights } from "../weights.js";
import type { SimilarTaskRendering } from "./render-similar-tasks.js";
import { toSimilarTask } from "./similar-task.js";
import { learningsTold, taskCandidates } from "./task-candidates.js";
import { readTask } from "./task-memory.js";

const notCompared: SimilarityParts = {
  ...{ text: 0, files: 0, errors: 0, record: 0, support: 0, frame: 0, kind: 0 },
  words: [],
};

/** The tasks that were finished last, whatever they are about: for an agent that has not been told yet what to do. */
export function latestTaskSource(
  repositories: Repositories,
  rendering: SimilarTaskRendering,
): CandidateSource {
  return {
    kind: "task",
    async find({ now }, foundBefore) {
      const latest = await repositories.tasks.list({ statuses: ["completed", "failed"] }, weights.latest);
      const read = await Promise.all(
        latest.map(async (task, place) => {
          const hit = { task, similarity: weights.ofLatest / (place + 1), parts: notCompared };
          return toSimilarTask(hit, await readTask(repositories, task), { now });
        }),
      );
      const told = learningsTold(await foundBefore);
      const whyOf = () => "one of the latest tasks";
      return taskCandidates(read, { section: "latest", rendering, told, whyOf });
    },
  };
}
