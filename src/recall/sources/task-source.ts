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
import { similarTasks, similarTasks as weights } from "../weights.js";

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
  const { errors, file, files, words, vectors = 0 }: SimilarityParts = parts;
  const reasons = [
    ...(errors >= clearly ? ["met the same error"] : []),
    ...(file !== undefined && files >= clearly ? [`changed ${file}`] : []),
    ...sharesWords(question, words),
    ...(vectors >= clearly ? ["means much the same"] : []),
  ];
  return reasons.join("; ") || "work of the same kind";
}

const notCompared: SimilarityParts = {
  ...{ text: 0, files: 0, errors: 0, record: 0, support: 0, kind: 0 },
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

interface TellingTasks {
  section: "similar" | "latest";
  rendering: SimilarTaskRendering;
  /** Statements that the brief has already. */
  told: readonly string[];
  /** Why a task is shown, in a few words. */
  whyOf(task: SimilarTask): string;
}

/** What the learnings of a brief say, which tasks need not repeat. */
function learningsTold(foundBefore: readonly Candidate[]): string[] {
  return foundBefore.filter(({ kind }) => kind === "learning").map(({ statement }) => statement);
}

/** Tasks as entries of a brief, without those that add nothing to what was told. */
function taskCandidates(
  tasks: readonly SimilarTask[],
  { section, rendering, told, whyOf }: TellingTasks,
): Candidate[] {
  const known = new Map(tasks.map((task) => [task.task_id, task]));
  return renderSimilarTasks(tasks, rendering, told).flatMap(({ id, text }) => {
    const task = known.get(id);
    if (task === undefined) return [];
    const { similarity, description, parts } = task;
    return [
      {
        id,
        kind: "task",
        section,
        statement: description,
        text,
        score: similarity,
        parts: {
          text: parts.text,
          files: parts.files,
          errors: parts.errors,
          ...(parts.vectors !== undefined && { vectors: parts.vectors }),
        },
        why: whyOf(task),
      },
    ];
  });
}
