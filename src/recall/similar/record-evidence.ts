import { similarTasks } from "../weights.js";
import type { TermPositions } from "./term-positions.js";
import type { TermWeight } from "./term-weight.js";

const { evidence: weights } = similarTasks;

/** The stems of all that is known of a task, each with how often the record says it. */
export interface TaskRecord {
  counts: ReadonlyMap<string, number>;
  /** The sum of the counts. */
  length: number;
}

/** A part of a record: its texts, and what each of their stems counts. */
export interface RecordField {
  /** Stems with the weight of their position, or of each text. */
  stems: readonly Iterable<readonly [word: string, weight: number]>[];
  most: number;
}

/** The record of several fields; what many texts of a field repeat counts a few times. */
export function makeRecord(fields: readonly RecordField[]): TaskRecord {
  const counts = new Map<string, number>();
  let length = 0;
  for (const { stems, most } of fields) {
    const inField = new Map<string, number>();
    for (const text of stems)
      for (const [word, weight] of text) inField.set(word, Math.min(most, (inField.get(word) ?? 0) + weight));
    for (const [word, count] of inField) {
      counts.set(word, (counts.get(word) ?? 0) + count);
      length += count;
    }
  }
  return { counts, length };
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
  const coverage = coverageBy(objective, records, weightOf);
  const vectors = records.map((record) => toVector(record, weightOf));
  const best = coverage
    .map((covered, place) => ({ covered, place }))
    .filter(({ covered }) => covered > 0)
    .sort((one, other) => other.covered - one.covered)
    .slice(0, weights.supporters);
  const support = coverage.map((_, place) =>
    best
      .filter(({ place: other }) => other !== place)
      .reduce((sum, { covered, place: other }) => sum + covered * cosine(vectors[place], vectors[other]), 0),
  );
  const [covered, supported] = [aboveUsual(coverage), aboveUsual(support)];
  return records.map((_, place) => ({ record: covered[place] ?? 0, support: supported[place] ?? 0 }));
}

/** How far each value is above their mean: of a long text, and in a store about one thing, every record covers much. */
function aboveUsual(values: readonly number[]): number[] {
  const usual = values.reduce((sum, value) => sum + value, 0) / Math.max(weights.usualOf, values.length);
  return values.map((value) => value - usual);
}

/** BM25 over the whole record, against what the objective says in all; less for a single specific word, and for none. */
function coverageBy(
  objective: TermPositions,
  records: readonly TaskRecord[],
  weightOf: TermWeight,
): number[] {
  const words = [...objective].map(([word, position]) => ({ word, weight: weightOf(word), position }));
  const all = words.reduce((sum, { weight, position }) => sum + weight * position, 0);
  const average = records.reduce((sum, { length }) => sum + length, 0) / Math.max(1, records.length);
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
  values: ReadonlyMap<string, number>;
  length: number;
}

function toVector({ counts }: TaskRecord, weightOf: TermWeight): WordVector {
  const values = new Map<string, number>();
  let squares = 0;
  for (const [word, count] of counts) {
    const value = (1 + Math.log(Math.max(1, count))) * weightOf(word);
    values.set(word, value);
    squares += value ** 2;
  }
  return { values, length: Math.sqrt(squares) };
}

function cosine(one: WordVector | undefined, other: WordVector | undefined): number {
  if (one === undefined || other === undefined || one.length === 0 || other.length === 0) return 0;
  const [few, many] = one.values.size < other.values.size ? [one, other] : [other, one];
  let product = 0;
  for (const [word, value] of few.values) product += value * (many.values.get(word) ?? 0);
  return product / (one.length * other.length);
}
