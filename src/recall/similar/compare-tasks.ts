import { dayMs } from "../../domain/clock.js";
import { numberOfTaskId, taskIdOf } from "../../domain/tasks/task.js";
import { parseQuestion, type Question } from "../../search/question.js";
import { shownLabel, statusLabel, taskKind } from "../../search/record-kinds.js";
import { searchRecords } from "../../search/search-records.js";
import type { AttemptTrace } from "../../store/repositories/tasks/attempts.js";
import type { Repositories } from "../../store/store.js";
import { looseStem } from "../../words/stem.js";
import { questionWords } from "../../words/words.js";
import { kindWord, workKinds } from "../../words/work-kinds.js";
import { similarTasks as weights } from "../weights.js";
import {
  type AskedWork,
  type ComparedCandidate,
  prepareObjective,
  prepareTask,
} from "./prepare-comparison.js";
import { weighRecords } from "./record-evidence.js";
import { compareWithTask, type SimilarityParts, type StoreFrequencies } from "./task-similarity.js";
import { type Counted, makeTermWeight } from "./terms.js";

/** The work that finished tasks are compared with. */
export interface ComparedWork extends AskedWork {
  /** 0 for any age. */
  maxAgeDays: number;
  excludeTaskId?: string | undefined;
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

export interface TaskComparison extends Pick<ComparedCandidate, "task" | "succeeded"> {
  similarity: number;
  parts: SimilarityParts;
  traces: readonly AttemptTrace[];
}

/** Finished tasks that share words, files, failures or kinds of work with an objective, each with its similarity. */
export async function compareTasks(
  repositories: Repositories,
  work: ComparedWork,
): Promise<TaskComparison[]> {
  const records = await repositories.lexical.estimateDocuments(taskKind);
  const kinds = workKinds(work.objective, work.files);
  const numbers = await candidateNumbers(repositories, work, [...kinds.keys()].map(kindWord), records);
  const candidates = await readCandidates(repositories, numbers);
  if (candidates.length === 0) return [];
  const vectorSimilarityOf = await work.vectors?.compare(work.objective);
  const objective = prepareObjective(work, kinds, work.vectors?.weight ?? 0);
  const frequencies = await countFrequencies(repositories, work, candidates, [...kinds.keys()], records);
  const evidence = weighRecords(
    objective.terms,
    candidates.map(({ record }) => record),
    frequencies.weightOf,
  );
  return candidates.map(({ task, succeeded, traces, ...compared }, place) => ({
    task,
    succeeded,
    traces,
    ...compareWithTask(
      objective,
      { ...compared, vectorSimilarity: vectorSimilarityOf?.(task.id) },
      evidence[place] ?? { record: 0, support: 0 },
      frequencies,
    ),
  }));
}

async function candidateNumbers(
  { lexical }: Repositories,
  { maxAgeDays, excludeTaskId, now, ...work }: ComparedWork,
  kindWords: readonly string[],
  records: number,
): Promise<number[]> {
  const isLarge = records >= weights.manyTasks;
  const hits = await searchRecords(lexical, {
    // In a large index too many tasks are of a kind to find any by it.
    question: questionOf(work, isLarge ? [] : kindWords),
    kind: taskKind,
    sources: [""],
    labelGroups: [["completed", "failed"].map(statusLabel), [shownLabel]],
    since: maxAgeDays === 0 ? undefined : now.getTime() - maxAgeDays * dayMs,
    limit: isLarge ? weights.candidatesOfMany : weights.candidates,
    enough: weights.enough,
    isExact: true,
  });
  return hits.filter(({ id }) => id !== excludeTaskId).flatMap(({ id }) => numberOfTaskId(id) ?? []);
}

function questionOf(
  { objective, errors = [], files = [] }: AskedWork,
  kindWords: readonly string[],
): Question {
  const [firstLine = "", ...others] = objective.trim().split("\n");
  const beside = [...errors.slice(0, weights.comparedErrors), ...files];
  const question = parseQuestion([firstLine, ...beside, ...others].join("\n"));
  const kinds = kindWords.map((word) => ({ word, weight: 1, isName: false }));
  return { ...question, words: [...question.words, ...kinds] };
}

/** Best match first. */
async function readCandidates({ tasks, attempts, lexical }: Repositories, numbers: readonly number[]) {
  if (numbers.length === 0) return [];
  const [traces, rows, workWords] = await Promise.all([
    attempts.listTraces(numbers),
    tasks.listByNumbers(numbers),
    lexical.readKept(taskKind, numbers.map(taskIdOf)),
  ]);
  const found = new Map(rows.map((task) => [task.number, task]));
  return numbers.flatMap((number) => {
    const task = found.get(number);
    if (task === undefined) return [];
    const own = traces.filter(({ taskNumber }) => taskNumber === task.number);
    return [{ ...prepareTask(task, own, workWords.get(task.id) ?? ""), traces: own }];
  });
}

/** In how many tasks the most specific words of the question and its kinds of work occur. */
async function countFrequencies(
  { lexical }: Repositories,
  { objective, errors = [] }: AskedWork,
  candidates: readonly ComparedCandidate[],
  kinds: readonly string[],
  records: number,
): Promise<StoreFrequencies> {
  const limit = Math.max(weights.leastCounted, Math.ceil(records * weights.countedShare));
  const met = errors.slice(0, weights.comparedErrors);
  const words = questionWords([objective, ...met].join("\n")).slice(0, weights.countedWords);
  const counts = await lexical.countHolding(taskKind, [...words, ...kinds.map(kindWord)], limit);
  const counted: Counted = {
    holding: new Map(words.map((word, place) => [looseStem(word), counts[place] ?? 0])),
    records,
  };
  const ofKinds = kinds.map((kind, place) => [kind, counts[words.length + place] ?? 0] as const);
  const weightOf = makeTermWeight(candidates, counted);
  // What was fitted to the best matches alone.
  const best = candidates.slice(0, weights.candidatesOfMany);
  return {
    weightOf,
    partWeightOf: best.length === candidates.length ? weightOf : makeTermWeight(best, counted),
    kinds: { holding: new Map(ofKinds), records },
  };
}
