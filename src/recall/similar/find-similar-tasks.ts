import { dayMs } from "../../domain/clock.js";
import { isTaskType } from "../../domain/knowledge/learning.js";
import { rounded } from "../../domain/rounded.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import { cacheCounts } from "../../search/cache-counts.js";
import { shownLabel, statusLabel, taskKind } from "../../search/documents/task-labels.js";
import { parseQuestion } from "../../search/question.js";
import { searchRecords } from "../../search/search-records.js";
import { classifyTask } from "../../semantic/classify/classify-task.js";
import type { AttemptTrace } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { unique } from "../../text/unique.js";
import { looseStem } from "../../words/loose-stem.js";
import { questionWords } from "../../words/words.js";
import { similarTasks as weights } from "../weights.js";
import { type SimilarTask, type SimilarTaskHit, toSimilarTask } from "./similar-task.js";
import { readTask } from "./task-memory.js";
import { type Counted, compareWithTask, makeTermWeight, termPositions } from "./task-similarity.js";

/** Which similar tasks are returned. */
export interface SimilarTaskLimits {
  topK: number;
  /** Least similarity, from 0 to 1. */
  threshold: number;
  /** 0 for any age. */
  maxAgeDays: number;
  excludeTaskId?: string | undefined;
}

/** The work that finished tasks are compared with. */
export interface SimilarTaskQuery extends SimilarTaskLimits {
  objective: string;
  /** Breaks ties between equally similar tasks with the same outcome. */
  taskType?: string | undefined;
  /** Error messages seen so far. */
  errors?: readonly string[] | undefined;
  /** Files the work is about. */
  files?: readonly string[] | undefined;
  now: Date;
  /** Undefined without an embedder. */
  vectors?: TaskVectors | undefined;
}

/** Compares tasks by their vectors. */
export interface TaskVectors {
  /** The embedder's weight, from 0 to 1. */
  weight: number;
  /** The similarity of each task to an objective, from 0 to 1; undefined for a task without a vector. */
  compare(objective: string): Promise<(taskId: string) => number | undefined>;
}

/** Finished tasks similar to an objective, most similar first; none below the threshold. */
export async function findSimilarTasks(
  repositories: Repositories,
  query: SimilarTaskQuery,
): Promise<SimilarTask[]> {
  const found: SimilarTask[] = [];
  for (const hit of await findHits(repositories, query))
    found.push(toSimilarTask(hit, await readTask(repositories, hit.task), query.now));
  return found;
}

async function findHits(
  { lexical, ...others }: Repositories,
  query: SimilarTaskQuery,
): Promise<SimilarTaskHit[]> {
  if (query.topK <= 0) return [];
  const repositories = { ...others, lexical: cacheCounts(lexical) };
  const candidates = await readCandidates(repositories, await candidateNumbers(repositories, query));
  if (candidates.length === 0) return [];
  const { objective, errors = [], files = [], vectors } = query;
  const vectorSimilarityOf = await vectors?.compare(objective);
  const met = errors.slice(0, weights.comparedErrors);
  const compared = {
    positions: termPositions(objective, [...met, files.join(" ")], weights.position.firstLine),
    errors: termPositions("", met, weights.position.firstLine),
    vectorWeight: vectors?.weight ?? 0,
  };
  const weightOf = makeTermWeight(candidates, await countWords(repositories, query));
  return candidates
    .map((candidate) => ({ ...candidate, vectorSimilarity: vectorSimilarityOf?.(candidate.task.id) }))
    .map((candidate) => ({ ...candidate, ...compareWithTask(compared, candidate, weightOf) }))
    .filter(({ similarity }) => rounded(similarity) >= query.threshold)
    .sort(moreSimilarFirst(query))
    .slice(0, query.topK)
    .map(({ task, similarity, parts }) => ({
      task,
      similarity: rounded(similarity),
      parts: {
        ...parts,
        text: rounded(parts.text),
        files: rounded(parts.files),
        errors: rounded(parts.errors),
        ...(parts.vectors !== undefined && { vectors: rounded(parts.vectors) }),
      },
    }));
}

async function candidateNumbers(
  { lexical }: Repositories,
  { objective, errors = [], files = [], maxAgeDays, excludeTaskId, now }: SimilarTaskQuery,
): Promise<number[]> {
  const [firstLine = "", ...others] = objective.trim().split("\n");
  const beside = [...errors.slice(0, weights.comparedErrors), ...files];
  const hits = await searchRecords(lexical, {
    question: parseQuestion([firstLine, ...beside, ...others].join("\n")),
    kind: taskKind,
    sources: [""],
    labelGroups: [["completed", "failed"].map(statusLabel), [shownLabel]],
    since: maxAgeDays === 0 ? undefined : now.getTime() - maxAgeDays * dayMs,
    limit: weights.candidates,
    enough: weights.enough,
    isExact: true,
  });
  return hits.filter(({ id }) => id !== excludeTaskId).flatMap(({ id }) => numberOfTaskId(id) ?? []);
}

async function readCandidates({ tasks, attempts }: Repositories, numbers: readonly number[]) {
  if (numbers.length === 0) return [];
  const traces = await attempts.listTraces(numbers);
  const found = await tasks.listByNumbers(numbers);
  return found.map((task) =>
    toCandidate(
      task,
      traces.filter(({ taskNumber }) => taskNumber === task.number),
    ),
  );
}

function toCandidate(task: StoredTask, traces: readonly AttemptTrace[]) {
  const errors = unique(
    traces.flatMap((trace) => trace.errors.map(({ type, message }) => `${type} ${message}`)),
  ).slice(0, weights.comparedErrors);
  return {
    task,
    positions: termPositions(task.description, errors, weights.position.opening),
    errors,
    files: unique(traces.toReversed().flatMap(({ files }) => files)),
    succeeded: traces.findLast(({ outcome }) => outcome !== undefined)?.outcome?.status === "success",
  };
}

/** In how many tasks the most specific words of the objective occur. */
async function countWords({ lexical }: Repositories, { objective }: SimilarTaskQuery): Promise<Counted> {
  const records = await lexical.estimateDocuments(taskKind);
  const limit = Math.max(weights.leastCounted, Math.ceil(records * weights.countedShare));
  const words = questionWords(objective).slice(0, weights.countedWords);
  const counts = await lexical.countHolding(taskKind, words, limit);
  return { holding: new Map(words.map((word, place) => [looseStem(word), counts[place] ?? 0])), records };
}

interface Ranked {
  task: StoredTask;
  similarity: number;
  succeeded: boolean;
}

/** Among almost equally similar tasks, successful ones come first. */
function moreSimilarFirst({ taskType }: SimilarTaskQuery) {
  const isPreferred = ({ description }: StoredTask) =>
    taskType !== undefined && isTaskType(taskType) && classifyTask(description) === taskType;
  const step = ({ similarity }: Ranked) => Math.round(similarity / weights.nearlyEqual);
  return (one: Ranked, other: Ranked): number =>
    step(other) - step(one) ||
    Number(other.succeeded) - Number(one.succeeded) ||
    Number(isPreferred(other.task)) - Number(isPreferred(one.task)) ||
    other.similarity - one.similarity ||
    other.task.number - one.task.number;
}
