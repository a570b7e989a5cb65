import { failureOf } from "../../failures/failure.js";
import { failureKey } from "../../failures/failure-key.js";
import type { Repositories } from "../../store/store.js";
import type { Candidate, CandidateSource } from "../candidate.js";
import { type RecallQuestion, sharesWords } from "../recall-question.js";
import type { TaskComparison } from "../similar/compare-tasks.js";
import { estimateCandidate, estimateTask } from "../similar/estimate-task.js";
import { mostSimilar, type SimilarTaskLimits } from "../similar/find-similar-tasks.js";
import { renderSimilarTasks, type SimilarTaskRendering } from "../similar/render-similar-tasks.js";
import { readTask, type SimilarTask, toSimilarTask } from "../similar/similar-task.js";
import type { SimilarityParts } from "../similar/task-similarity.js";
import { similarTasks as weights } from "../weights.js";

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
      const compared = await compare(question);
      const estimate = estimateTask(compared);
      const similar = await mostSimilar(repositories, compared, { taskType, errors, now, ...limits });
      const shown = statementsOfLearnings(foundBefore);
      // The more learnings a brief has, the less tasks add to them.
      const most = shown.length >= weights.manyLearnings ? weights.besideMany : similar.length;
      const tasks = (await withKnownRemedies(repositories, similar)).slice(0, most);
      return [
        ...taskCandidates(tasks, renderSimilarTasks(tasks, rendering, shown), "similar", (task) =>
          whySimilar(question, task),
        ),
        ...(estimate === undefined ? [] : [estimateCandidate(estimate, iteration)]),
      ];
    },
  };
}

const notCompared: SimilarityParts = {
  ...{ text: 0, files: 0, errors: 0, record: 0, support: 0, frame: 0, kind: 0 },
  words: [],
};

/** The tasks that were finished last, whatever they are about: for an agent whose objective is not known yet. */
export function latestTaskSource(
  repositories: Repositories,
  rendering: SimilarTaskRendering,
): CandidateSource {
  return {
    kind: "task",
    async find({ now }, foundBefore) {
      const latest = await repositories.tasks.list({ statuses: ["completed", "failed"] }, weights.latest);
      const tasks: SimilarTask[] = [];
      for (const [place, task] of latest.entries()) {
        const hit = { task, similarity: weights.ofLatest / (place + 1), parts: notCompared };
        tasks.push(toSimilarTask(hit, await readTask(repositories, task), { now }));
      }
      const entries = renderSimilarTasks(tasks, rendering, statementsOfLearnings(foundBefore));
      return taskCandidates(tasks, entries, "latest", () => "one of the latest tasks");
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
  const remedies = new Map(known.map(({ learning }) => [learning.failure_key, learning.content.prevention]));
  return tasks.map((task) => ({
    ...task,
    failures: task.failures.map((failure) => {
      const remedy = failure.resolution === undefined ? undefined : remedies.get(keyOf(failure));
      return remedy === undefined ? failure : { ...failure, resolution: remedy };
    }),
  }));
}

/** What the learnings of a brief say, which tasks need not repeat. */
function statementsOfLearnings(foundBefore: readonly Candidate[]): string[] {
  return foundBefore.filter(({ kind }) => kind === "learning").map(({ statement }) => statement);
}

function taskCandidates(
  tasks: readonly SimilarTask[],
  entries: readonly { id: string; text: string }[],
  section: "similar" | "latest",
  whyOf: (task: SimilarTask) => string,
): Candidate[] {
  const byId = new Map(tasks.map((task) => [task.task_id, task]));
  return entries.flatMap(({ id, text }) => {
    const task = byId.get(id);
    if (task === undefined) return [];
    const { similarity: score, description: statement, parts } = task;
    const { text: words, files, errors, vectors } = parts;
    const shown = { text: words, files, errors, ...(vectors !== undefined && { vectors }) };
    return [{ id, kind: "task", section, statement, text, score, parts: shown, why: whyOf(task) }];
  });
}

const clearly = 0.5;

/** What a task has in common with the question, in a few words. */
function whySimilar(question: RecallQuestion, { parts }: SimilarTask): string {
  const { errors, frame, file, files, words, vectors = 0 } = parts;
  const reasons = [
    ...(errors >= clearly ? ["met the same error"] : []),
    ...(frame > 0 ? ["the same kind of objective"] : []),
    ...(file !== undefined && files >= clearly ? [`changed ${file}`] : []),
    ...sharesWords(question, words),
    ...(vectors >= clearly ? ["means much the same"] : []),
  ];
  return reasons.join("; ") || "work of the same kind";
}
