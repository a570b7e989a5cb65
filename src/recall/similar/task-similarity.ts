import { similarTasks as weights } from "../weights.js";
import { errorSimilarity } from "./error-words.js";
import { partSimilarity } from "./part-similarity.js";
import type { RecordEvidence, TaskRecord } from "./record-evidence.js";
import type { TermPositions, TermWeight } from "./terms.js";

/** An objective, prepared for comparison. */
export interface ComparedObjective {
  positions: TermPositions;
  /** The words that may name a file: those of the objective and of the files that go with it. */
  named: TermPositions;
  /** The files that go with it. */
  files: readonly string[];
  /** The words to look for in a task's record. */
  terms: TermPositions;
  /** Its sentence without names and numbers. */
  pattern: string | undefined;
  /** Of its text, in characters. */
  length: number;
  /** Its kinds of work, each with its certainty. */
  kinds: ReadonlyMap<string, number>;
  /** The words of each current error. */
  errors: readonly (readonly string[])[];
  /** The weight of vector similarity, from 0 to 1. */
  vectorWeight: number;
}

/** A finished task, prepared for comparison. */
export interface ComparedTask {
  positions: TermPositions;
  pattern: string | undefined;
  /** All that is known of it: description, files, errors, resolutions, what worked. */
  record: TaskRecord;
  kinds: ReadonlyMap<string, number>;
  /** Changed files. */
  files: readonly string[];
  /** The words of each error that occurred. */
  errors: readonly (readonly string[])[];
  /** From 0 to 1; undefined without a vector. */
  vectorSimilarity?: number | undefined;
}

/** What words and kinds of work say in this store. */
export interface StoreFrequencies {
  weightOf: TermWeight;
  /** Where texts and files are compared: among the best matches. */
  partWeightOf: TermWeight;
  /** How many tasks are of each kind of work. */
  kinds: { holding: ReadonlyMap<string, number>; records: number };
}

/** Why a task is similar. */
export interface SimilarityParts {
  /** Similarity of the texts, from 0 to 1. */
  text: number;
  /** How much of a changed file's path the objective mentions, from 0 to 1; if the files are unknown, how much the first
   * lines cover each other, from 0 to 0.35. */
  files: number;
  /** That file. */
  file?: string;
  /** How much of an error of the task the current errors repeat, from 0 to 1. */
  errors: number;
  /** How much of the objective, its errors and files the task's whole record covers, from 0 to about 1. */
  record: number;
  /** How much the records of tasks like it cover, from 0 to about 1. */
  support: number;
  /** 1 if both objectives are the same sentence but for names and numbers, else 0. */
  frame: number;
  /** How far both are the same kinds of work, from 0 to 1. */
  kind: number;
  /** How similar the vectors are, from 0 to 1; absent without an embedder. */
  vectors?: number;
  /** Shared words, most specific first. */
  words: string[];
}

/** The probability that a task is about the same part of the project as an objective, or of the same family. */
export function compareWithTask(
  objective: ComparedObjective,
  task: ComparedTask,
  { record, support }: RecordEvidence,
  { partWeightOf, kinds }: StoreFrequencies,
): { similarity: number; parts: SimilarityParts } {
  const { text, files, file, words } = partSimilarity(objective, task, partWeightOf);
  const errors = errorSimilarity(objective.errors, task.errors);
  const kind = kindSimilarity(objective.kinds, task.kinds, kinds);
  const samePart = weights.slope * (text + Math.max(files, weights.errorRate * errors)) - weights.offset;
  const frame = objective.pattern !== undefined && objective.pattern === task.pattern ? 1 : 0;
  // In a large store, more tasks are alike by chance.
  const crowd = Math.log(Math.max(1, kinds.records / weights.evidence.fewRecords));
  const sameFamily = familyLogit({ record, support, errors, kind }) - weights.evidence.crowd * crowd;
  const sameSentence = frame === 0 ? sameFamily : weights.frame.logit - weights.frame.crowd * crowd;
  const byFamily = Math.max(sameFamily, sameSentence) - lengthPenalty(objective.length);
  const byVectors = vectorLogit(task.vectorSimilarity, objective.vectorWeight);
  return {
    similarity: 1 / (1 + Math.exp(-Math.max(samePart, byFamily) - byVectors)),
    parts: {
      ...{ text, files },
      ...(file !== undefined && { file }),
      ...{ errors, record, support, frame, kind },
      ...(task.vectorSimilarity !== undefined && { vectors: task.vectorSimilarity }),
      words,
    },
  };
}

/** The log odds that a task is of the objective's family, in a store of a few; nothing is certain. */
function familyLogit(parts: Pick<SimilarityParts, "record" | "support" | "errors" | "kind">): number {
  const { record, support, errors, kind, offset, leastErrors, sure } = weights.evidence;
  // Any two failures share a word.
  const sameErrors = parts.errors < leastErrors ? 0 : parts.errors;
  const logit =
    record * parts.record + support * parts.support + errors * sameErrors + kind * parts.kind - offset;
  return logit <= sure ? logit : sure + Math.log(1 + logit - sure);
}

/** A long objective, such as a report, shares words with any record, and its first line is a title. */
function lengthPenalty(length: number): number {
  return weights.evidence.long * Math.log(Math.max(1, length / weights.evidence.shortLength));
}

/** Words lead: with the default weight of an embedder, vectors alone make no task similar. */
function vectorLogit(similarity: number | undefined, weight: number): number {
  return similarity === undefined ? 0 : weights.vectorSlope * weight * (similarity - weights.neutralVectors);
}

/** How far two tasks are of the same kinds of work; among many tasks, and of a kind that many are of, it says little. */
function kindSimilarity(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
  { holding, records }: StoreFrequencies["kinds"],
): number {
  const both = [...one.keys()].filter((kind) => other.has(kind));
  if (both.length === 0) return 0;
  const rarity = (kind: string) =>
    Math.max(
      weights.kind.leastRarity,
      -Math.log((weights.kind.texts + (holding.get(kind) ?? 0)) / (weights.backgroundTexts + records)),
    );
  const sum = (kinds: Iterable<string>, certaintyOf: (kind: string) => number) =>
    [...kinds].reduce((total, kind) => total + certaintyOf(kind) * rarity(kind), 0);
  const sizeOf = (kinds: ReadonlyMap<string, number>) => sum(kinds.keys(), (kind) => kinds.get(kind) ?? 0);
  const shared = sum(both, (kind) => Math.min(one.get(kind) ?? 0, other.get(kind) ?? 0));
  const fewest = Math.min(...both.map((kind) => holding.get(kind) ?? 0));
  const crowded = Math.sqrt(
    Math.min(1, weights.kind.crowded / Math.max(1, fewest)) *
      Math.min(1, weights.evidence.fewRecords / Math.max(1, records)),
  );
  return (shared / Math.sqrt(sizeOf(one) * sizeOf(other))) * crowded;
}
