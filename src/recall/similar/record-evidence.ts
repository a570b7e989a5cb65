import { similarTasks } from "../weights.js";
import type { TermPositions, TermWeight } from "./terms.js";

const { evidence: weights } = similarTasks;

/** The stems of all that is known of a task, each with how often the record says it. */
export interface TaskRecord {
  counts: ReadonlyMap<string, number>;
  /** The sum of the counts. */
  length: number;
}

/** The record of a description, and of lists of texts by their stems; what many texts of a list repeat counts a few times. */
export function makeRecord(
  described: TermPositions,
  lists: readonly (readonly (readonly string[])[])[],
): TaskRecord {
  const { description, most } = similarTasks.record;
  const counts = new Map<string, number>();
  const add = (word: string, count: number) => counts.set(word, (counts.get(word) ?? 0) + count);
  for (const [word, position] of described) add(word, Math.min(description, description * position));
  for (const texts of lists) {
    const inList = new Map<string, number>();
    for (const word of texts.flat()) inList.set(word, Math.min(most, (inList.get(word) ?? 0) + 1));
    for (const [word, count] of inList) add(word, count);
  }
  return { counts, length: sumOf([...counts.values()]) };
}

/** What speaks for a task in its own record and in those of other candidates, each from 0 to about 1. */
export interface RecordEvidence {
  record: number;
  support: number;
}

/**
 * For each record, how much of the objective it covers, and how much the records like it do. Chance matches stand alone;
 * the tasks of a component have folders, programs and errors in common, so that one that shares few words with the objective
 * is found by those that share more.
 */
export function weighRecords(
  objective: TermPositions,
  records: readonly TaskRecord[],
  weightOf: TermWeight,
): RecordEvidence[] {
  const coverage = coverageOf(objective, records, weightOf);
  const vectors = records.map((record) => toVector(record, weightOf));
  const supporters = coverage
    .map((covered, place) => ({ covered, place }))
    .filter(({ covered }) => covered > 0)
    .sort((one, other) => other.covered - one.covered)
    .slice(0, weights.supporters);
  const support = vectors.map((vector, place) =>
    sumOf(
      supporters
        .filter((supporter) => supporter.place !== place)
        .map((supporter) => supporter.covered * cosine(vector, vectors[supporter.place] ?? vector)),
    ),
  );
  const [covered, supported] = [aboveMean(coverage), aboveMean(support)];
  return records.map((_, place) => ({ record: covered[place] ?? 0, support: supported[place] ?? 0 }));
}

/** How far each value is above their mean: of a long text, and in a store about one thing, every record covers much. */
function aboveMean(values: readonly number[]): number[] {
  const mean = sumOf(values) / Math.max(weights.usualOf, values.length);
  return values.map((value) => value - mean);
}

/** BM25 over the whole record, against what the objective says in all; less for a single specific word, and for none. */
function coverageOf(
  objective: TermPositions,
  records: readonly TaskRecord[],
  weightOf: TermWeight,
): number[] {
  const words = [...objective].map(([word, position]) => ({ word, weight: weightOf(word), position }));
  const all = sumOf(words.map(({ weight, position }) => weight * position));
  const average = sumOf(records.map(({ length }) => length)) / Math.max(1, records.length);
  return records.map(({ counts, length }) => {
    const halfCount =
      weights.halfCount * (1 - weights.lengthShare + (weights.lengthShare * length) / Math.max(1, average));
    let covered = 0;
    let specific = 0;
    for (const { word, weight, position } of words) {
      const count = counts.get(word);
      if (count === undefined) continue;
      covered += (position * weight * count * (weights.halfCount + 1)) / (count + halfCount);
      if (weight >= similarTasks.tellingFrom) specific += 1;
    }
    return (covered / (all + weights.leastSaid)) * (weights.bySpecificWords[specific] ?? 1);
  });
}

interface WordVector {
  weights: ReadonlyMap<string, number>;
  length: number;
}

function toVector({ counts }: TaskRecord, weightOf: TermWeight): WordVector {
  const entries = [...counts].map(
    ([word, count]) => [word, (1 + Math.log(Math.max(1, count))) * weightOf(word)] as const,
  );
  return { weights: new Map(entries), length: Math.sqrt(sumOf(entries.map(([, weight]) => weight ** 2))) };
}

function cosine(one: WordVector, other: WordVector): number {
  if (one.length === 0 || other.length === 0) return 0;
  let product = 0;
  for (const [word, weight] of one.weights) product += weight * (other.weights.get(word) ?? 0);
  return product / (one.length * other.length);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
