import { failureKey } from "../../failures/keys/failure-key.js";
import { failureOf } from "../../failures/keys/failure-of.js";
import type { Repositories } from "../../store/store.js";
import type { CandidateSource } from "../candidate-source.js";
import { estimateCandidate, estimateTask } from "../estimate/estimate-task.js";
import type { RecallQuestion } from "../recall-question.js";
import { sharesWords } from "../shares-words.js";
import type { SimilarTaskRendering } from "../telling/render-similar-tasks.js";
import type { SimilarTask } from "../telling/similar-task.js";

import { learningsTold, taskCandidates } from "../telling/task-candidates.js";
import { similarTasks } from "../weights.js";
import type { TaskComparison } from "./compare-tasks.js";
import { mostSimilar, type SimilarTaskLimits } from "./find-similar-tasks.js";
import type { SimilarityParts } from "./task-similarity.js";

export interface TaskAccess {
  repositories: Repositories;
  /** The tasks that have something in common with the question. */
  compare(question: RecallQuestion): Promise<readonly TaskComparison[]>;
  limits: SimilarTaskLimits;
  rendering: SimilarTaskRendering;
}

/** Similar finished tasks, each with its similarity as its score, and what tasks like this took. */
export function taskSource({ repositories, compare, limits, rendering }: TaskAccess): CandidateSource {
  return {
    kind: "task",
    async find(question, foundBefore) {
      const { taskType, errors, iteration, now } = question;
      const query = { taskType, errors, now, ...limits };
      const compared = await compare(question);
      const [estimate, similar] = await Promise.all([
        estimateTask(repositories, compared),
        mostSimilar(repositories, compared, query).then((found) => withKnownRemedies(repositories, found)),
      ]);
      const told = learningsTold(await foundBefore);
      return [
        ...taskCandidates(similar.slice(0, roomFor(told)), {
          section: "similar",
          rendering,
          told,
          whyOf: (task) => whySimilar(question, task),
        }),
        ...(estimate === undefined ? [] : [estimateCandidate(estimate, iteration)]),
      ];
    },
  };
}

/** What is known of a failure by now is better than what helped in one task. */
async function withKnownRemedies(
  { learnings }: Repositories,
  tasks: readonly SimilarTask[],
): Promise<SimilarTask[]> {
  const keyOf = ({ message }: { message: string }) => failureKey(failureOf(message)).key;
  const known = await learnings.listByFailures(tasks.flatMap(({ failures }) => failures.map(keyOf)));
  const remedies = new Map(
    known.map(({ learning }) => [learning.failure_key, learning.content.prevention] as const),
  );
  return tasks.map((task) => ({
    ...task,
    failures: task.failures.map((failure) => {
      const remedy = failure.resolution === undefined ? undefined : remedies.get(keyOf(failure));
      return remedy === undefined ? failure : { ...failure, resolution: remedy };
    }),
  }));
}

/** The more learnings a brief has, the less tasks add to them. */
function roomFor(learnings: readonly string[]): number {
  return learnings.length >= similarTasks.manyLearnings ? similarTasks.besideMany : Number.POSITIVE_INFINITY;
}

const clearly = 0.5;

/** What a task has in common with the question, in a few words. */
function whySimilar(question: RecallQuestion, { parts }: SimilarTask): string {
  const { errors, frame, file, files, words, vectors = 0 }: SimilarityParts = parts;
  const reasons = [
    ...(errors >= clearly ? ["met the same error"] : []),
    ...(frame >= clearly ? ["the same kind of objective"] : []),
    ...(file !== undefined && files >= clearly ? [`changed ${file}`] : []),
    ...sharesWords(question, words),
    ...(vectors >= clearly ? ["means much the same"] : []),
  ];
  return reasons.join("; ") || "work of the same kind";
}
