import { similarTasks } from "../weights.js";
import type { TermPositions, TermWeight } from "./terms.js";

const { evidence: weights } = similarTasks;

/** The stems of all that is known of a task, each with how often the record says it. */
export interface TaskRecord {
  counts: ReadonlyMap<string, number>;
  /** The sum of the counts. */
  length: number;
}

export const emptyRecord: TaskRecord = { counts: new Map(), length: 0 };

/** The record of a description, and of lists of texts by their stems; what many texts of a list repeat counts a few times. */
export function makeRecord(
  described: TermPositions,
  lists: readonly (readonly (readonly string[])[])[],
): TaskRecord {
  const { description, most } = similarTasks.record;
  const counts = new Map<string, number>();
  let length = 0;
  // No iterators: they make an object for each step, and this runs for every word of every candidate.
  const add = (count: number, word: string) => {
    counts.set(word, (counts.get(word) ?? 0) + count);
    length += count;
  };
  described.forEach((position, word) => {
    add(Math.min(description, description * position), word);
  });
  for (const texts of lists) {
    const inList = new Map<string, number>();
    for (const stems of texts)
      for (let at = 0; at < stems.length; at += 1) {
        const word = stems[at] as string;
        inList.set(word, Math.min(most, (inList.get(word) ?? 0) + 1));
      }
    inList.forEach(add);
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
  const best = coverage
    .map((covered, place) => ({ covered, place }))
    .filter(({ covered }) => covered > 0)
    .sort((one, other) => other.covered - one.covered)
    .slice(0, weights.supporters);
  const support = supportBy(best, toVectors(records, weightOf));
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

/** The words of a record by their numbers, each with its weight. */
interface WordVector {
  words: readonly number[];
  weights: readonly number[];
  length: number;
}

interface WordVectors {
  vectors: readonly WordVector[];
  /** How many different words they have. */
  wordCount: number;
}

function toVectors(records: readonly TaskRecord[], weightOf: TermWeight): WordVectors {
  const numbers = new Map<string, number>();
  const vectors = records.map(({ counts }) => {
    const words: number[] = [];
    const weights: number[] = [];
    let squares = 0;
    counts.forEach((count, word) => {
      let number = numbers.get(word);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(word, number);
      }
      const weight = (1 + Math.log(Math.max(1, count))) * weightOf(word);
      words.push(number);
      weights.push(weight);
      squares += weight * weight;
    });
    return { words, weights, length: Math.sqrt(squares) };
  });
  return { vectors, wordCount: numbers.size };
}

/** For each record, the coverage of the best others, as far as it is like them: the cosine of their words. */
function supportBy(
  best: readonly { covered: number; place: number }[],
  { vectors, wordCount }: WordVectors,
): number[] {
  const support = vectors.map(() => 0);
  const weightOfWord = new Float64Array(wordCount);
  for (const { covered, place } of best) {
    const supporter = vectors[place];
    if (supporter === undefined || supporter.length === 0) continue;
    weightOfWord.fill(0);
    for (let at = 0; at < supporter.words.length; at += 1)
      weightOfWord[supporter.words[at] as number] = supporter.weights[at] as number;
    for (let other = 0; other < vectors.length; other += 1) {
      const { words, weights, length } = vectors[other] as WordVector;
      if (other === place || length === 0) continue;
      let product = 0;
      for (let at = 0; at < words.length; at += 1)
        product += (weights[at] as number) * (weightOfWord[words[at] as number] as number);
      support[other] = (support[other] as number) + (covered * product) / (length * supporter.length);
    }
  }
  return support;
}
