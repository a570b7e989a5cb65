import { relatedTasks, similarTasks as weights } from "../weights.js";
import { errorSimilarity } from "./error-words.js";
import { type KindCounts, kindSimilarity } from "./kind-similarity.js";
import { type Frame, frameSimilarity } from "./objective-frame.js";
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
  /** Of its text, in characters. */
  length: number;
  frame: Frame;
  kinds: ReadonlyMap<string, number>;
  /** The words of each current error. */
  errors: readonly (readonly string[])[];
  /** The weight of vector similarity, from 0 to 1. */
  vectorWeight: number;
}

/** A finished task, prepared for comparison. */
export interface ComparedTask {
  positions: TermPositions;
  /** All that is known of it: description, files, errors, resolutions, what worked. */
  record: TaskRecord;
  frame: Frame;
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
  kinds: KindCounts;
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
  /** How far the objectives differ only in a slot, such as a name or a number, from 0 to 1. */
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
  const frame = frameSimilarity(objective.frame, task.frame);
  const kind = kindSimilarity(objective.kinds, task.kinds, kinds);
  const samePart = weights.slope * (text + Math.max(files, weights.errorRate * errors)) - weights.offset;
  // In a large store, more tasks are alike by chance.
  const crowd = crowdOf(kinds.records);
  const sameFamily =
    damped(familyLogit({ record, support, errors, frame, kind })) - weights.evidence.crowd * crowd;
  const sameSentence =
    damped(weights.frame.slope * frame - weights.frame.offset) - weights.frame.crowd * crowd;
  const byFamily = Math.max(sameFamily, sameSentence) - lengthPenalty(objective.length);
  const byVectors = vectorLogit(task.vectorSimilarity, objective.vectorWeight);
  const similarity = 1 / (1 + Math.exp(-Math.max(samePart, byFamily) - byVectors));
  return {
    similarity,
    parts: {
      text,
      files,
      ...(file !== undefined && { file }),
      errors,
      record,
      support,
      frame,
      kind,
      ...(task.vectorSimilarity !== undefined && { vectors: task.vectorSimilarity }),
      words,
    },
  };
}

/** The log odds that a task is of the objective's family, in a store of a few. */
function familyLogit(
  parts: Pick<SimilarityParts, "record" | "support" | "errors" | "frame" | "kind">,
): number {
  const { record, support, errors, frame, kind, offset } = weights.evidence;
  return (
    record * parts.record +
    support * parts.support +
    errors * unlessByChance(parts.errors, weights.evidence.leastErrors) +
    frame * unlessByChance(parts.frame, weights.evidence.leastFrame) +
    kind * parts.kind -
    offset
  );
}

/** Any two sentences or failures share a word. */
function unlessByChance(likeness: number, least: number): number {
  return likeness < least ? 0 : likeness;
}

/** A long objective, such as a report, shares words with any record, and its first line is a title. */
function lengthPenalty(length: number): number {
  const { shortLength, long } = weights.evidence;
  return long * Math.log(Math.max(1, length / shortLength));
}

function damped(logit: number): number {
  const { sure } = weights.evidence;
  return logit <= sure ? logit : sure + Math.log(1 + logit - sure);
}

/** Words lead: with the default weight of an embedder, vectors alone make no task similar. */
function vectorLogit(similarity: number | undefined, weight: number): number {
  return similarity === undefined ? 0 : weights.vectorSlope * weight * (similarity - weights.neutralVectors);
}

/** Which evidence can make a task similar, beside its texts, files and errors. */
export interface WhatCounts {
  /** Being of the objective's family: records, kinds of work. */
  family: boolean;
  /** Being the same sentence but for a slot. */
  sentence: boolean;
}

/** More than any record, kind and sentence add up to, as log odds before those of the crowd. */
const mostOfFamily = 7.5;
const mostOfSentence = 2.1;

/**
 * The more tasks a store has, the more of them are alike by chance. In a large one a family or a sentence alone makes no task as
 * similar as anybody asks for, so that neither has to be looked at.
 */
export function whatCounts(records: number, leastSimilarity: number, hasVectors: boolean): WhatCounts {
  const crowd = crowdOf(records);
  const least = Math.min(leastSimilarity, relatedTasks.leastSimilarity, weights.estimate.near);
  const leastLogit = Math.log(least / (1 - least));
  const mayReach = (most: number) => hasVectors || most >= leastLogit;
  return {
    family: mayReach(mostOfFamily - weights.evidence.crowd * crowd),
    sentence: mayReach(mostOfSentence - weights.frame.crowd * crowd),
  };
}

/** How much larger than a small one a store is, as a logarithm. */
function crowdOf(records: number): number {
  return Math.log(Math.max(1, records / weights.evidence.fewRecords));
}
