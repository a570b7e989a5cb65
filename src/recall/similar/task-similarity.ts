import { tellingLength } from "../../search/shape-query.js";
import { unique } from "../../text/unique.js";
import { withoutComments } from "../../text/without-comments.js";
import { backgroundShare } from "../../words/frequencies/word-frequencies.js";
import { looseStem } from "../../words/loose-stem.js";
import { stopWords } from "../../words/stop-words.js";
import { wordsOf } from "../../words/words.js";
import { similarTasks as weights } from "../weights.js";

/** The stems of a text, each with the weight of its best position: the first line counts most. */
export type TermPositions = ReadonlyMap<string, number>;

/** An objective, prepared for comparison. */
export interface ComparedObjective {
  positions: TermPositions;
  /** Current errors. */
  errors: TermPositions;
  /** The weight of vector similarity, from 0 to 1. */
  vectorWeight: number;
}

/** A finished task, prepared for comparison. */
export interface ComparedTask {
  positions: TermPositions;
  /** Changed files. */
  files: readonly string[];
  /** Errors that occurred. */
  errors: readonly string[];
  /** From 0 to 1; undefined without a vector. */
  vectorSimilarity?: number | undefined;
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
  /** How much of an error of the task the current errors repeat, from 0 to 0.7. */
  errors: number;
  /** How similar the vectors are, from 0 to 1; absent without an embedder. */
  vectors?: number;
  /** Shared words, most specific first. */
  words: string[];
}

/** The stems of a text by position, and those of related texts with a fixed weight. */
export function termPositions(
  text: string,
  related: readonly string[],
  relatedWeight: number,
): TermPositions {
  const body = withoutComments(text.slice(0, weights.readLength * 2)).trim();
  const lineEnd = body.indexOf("\n");
  const firstLine = lineEnd === -1 ? body : body.slice(0, lineEnd);
  const others = body.slice(firstLine.length);
  const positions = new Map<string, number>();
  const put = (part: string, weight: number) => {
    for (const word of stemsOf(part)) positions.set(word, Math.max(weight, positions.get(word) ?? 0));
  };
  put(others.slice(tellingLength, weights.readLength), weights.position.rest);
  put(others.slice(0, tellingLength), weights.position.opening);
  for (const other of related) put(other.slice(0, tellingLength), relatedWeight);
  put(firstLine, weights.position.firstLine);
  return positions;
}

/** How specific a stem is: from 0, for one in every text, to `mostTermWeight`. */
export type TermWeight = (word: string) => number;

/** How many of the records contain each stem. */
export interface Counted {
  holding: ReadonlyMap<string, number>;
  records: number;
}

/** Inverse document frequency in the store, else among the candidates, blended with that of texts about software. */
export function makeTermWeight(texts: readonly ComparedTask[], counted: Counted): TermWeight {
  const holding = new Map<string, number>();
  for (const { positions, files } of texts) {
    const words = new Set([...positions.keys(), ...files.flatMap(wordsOfPath)]);
    for (const word of words) holding.set(word, (holding.get(word) ?? 0) + 1);
  }
  const known = new Map<string, number>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const isCounted = counted.holding.has(word);
    // The question counts as one text with the word.
    const here = Math.max(1, (isCounted ? counted.holding : holding).get(word) ?? 1);
    const all = Math.max(1, isCounted ? counted.records : texts.length);
    const share = (weights.backgroundTexts * backgroundShare(word) + here) / (weights.backgroundTexts + all);
    const weight = Math.min(weights.mostTermWeight, Math.max(0, -Math.log(share)));
    known.set(word, weight);
    return weight;
  };
}

/** The probability that a task is about the same part of the project as an objective. */
export function compareWithTask(
  objective: ComparedObjective,
  task: ComparedTask,
  weightOf: TermWeight,
): { similarity: number; parts: SimilarityParts } {
  const text = textSimilarity(objective.positions, task.positions, weightOf);
  const named = bestFile(objective.positions, task.files, weightOf);
  const errors = weights.errorRate * bestErrorShare(objective.errors, task.errors, weightOf);
  const areFilesUnknown = task.files.length === 0 && !text.hasOneSharedWord;
  const files = areFilesUnknown
    ? weights.firstLinesForFiles * mutualCoverage(objective.positions, task.positions, weightOf)
    : named.share;
  const byWords = weights.slope * (text.cosine + Math.max(files, errors)) - weights.offset;
  const byVectors = vectorLogit(task.vectorSimilarity, objective.vectorWeight);
  const similarity = 1 / (1 + Math.exp(-byWords - byVectors));
  return {
    similarity,
    parts: {
      text: text.cosine,
      files,
      ...(named.file !== undefined && { file: named.file }),
      errors,
      ...(task.vectorSimilarity !== undefined && { vectors: task.vectorSimilarity }),
      words: text.words,
    },
  };
}

/** Words lead: with the default weight of an embedder, vectors alone make no task similar. */
function vectorLogit(similarity: number | undefined, weight: number): number {
  return similarity === undefined ? 0 : weights.vectorSlope * weight * (similarity - weights.neutralVectors);
}

/** The cosine similarity of two texts. */
function textSimilarity(
  one: TermPositions,
  other: TermPositions,
  weightOf: TermWeight,
): { cosine: number; hasOneSharedWord: boolean; words: string[] } {
  const weigh = (positions: TermPositions, word: string) => (positions.get(word) ?? 0) * weightOf(word);
  const lengthOf = (positions: TermPositions) => {
    let sum = 0;
    for (const word of positions.keys()) sum += weigh(positions, word) ** 2;
    return Math.sqrt(sum);
  };
  const shared = [...one.keys()].filter((word) => other.has(word));
  const product = shared.reduce((sum, word) => sum + weigh(one, word) * weigh(other, word), 0);
  const cosine = product === 0 ? 0 : product / (lengthOf(one) * lengthOf(other));
  const telling = shared.filter((word) => weightOf(word) >= weights.tellingFrom).length;
  const saysMore = (positions: TermPositions) =>
    [...positions.keys()].filter((word) => weightOf(word) >= weights.tellingFrom).length > telling;
  const hasOneSharedWord = telling <= 1 && (saysMore(one) || saysMore(other));
  const words = shared
    .filter((word) => weightOf(word) >= weights.tellingFrom)
    .sort((a, b) => weigh(one, b) * weigh(other, b) - weigh(one, a) * weigh(other, a));
  return {
    hasOneSharedWord,
    cosine: hasOneSharedWord ? Math.min(cosine, weights.oneWordNearness) : cosine,
    words: words.slice(0, weights.shownWords),
  };
}

/** How much the texts cover each other's first lines. */
function mutualCoverage(one: TermPositions, other: TermPositions, weightOf: TermWeight): number {
  return Math.sqrt(firstLineCoverage(one, other, weightOf) * firstLineCoverage(other, one, weightOf));
}

function firstLineCoverage(one: TermPositions, other: TermPositions, weightOf: TermWeight): number {
  const words = [...one].filter(([, weight]) => weight === weights.position.firstLine).map(([word]) => word);
  return coveredShare(words, other, weightOf);
}

/** The weighted share of words that a text contains. */
function coveredShare(words: Iterable<string>, text: TermPositions, weightOf: TermWeight): number {
  let all = 0;
  let named = 0;
  for (const word of words) {
    all += weightOf(word);
    named += weightOf(word) * Math.sqrt(text.get(word) ?? 0);
  }
  return all === 0 ? 0 : named / all;
}

/** The changed file whose path the objective covers best, and the covered share. */
function bestFile(
  objective: TermPositions,
  files: readonly string[],
  weightOf: TermWeight,
): { share: number; file?: string } {
  let best: { share: number; file?: string } = { share: 0 };
  for (const file of files.slice(0, weights.comparedFiles)) {
    const share = coveredShare(new Set(wordsOfPath(file)), objective, weightOf);
    if (share > best.share) best = { share, file };
  }
  return best;
}

function bestErrorShare(current: TermPositions, errors: readonly string[], weightOf: TermWeight): number {
  if (current.size === 0) return 0;
  return Math.max(0, ...errors.map((error) => coveredShare(stemsOf(error), current, weightOf)));
}

/** The stems of a path: folders, file name and its parts, without the extension. */
function wordsOfPath(path: string): string[] {
  const extension = /\.([A-Za-z0-9]{1,5})$/.exec(path)?.[1]?.toLowerCase();
  const [whole, ...parts] = wordsOf(path);
  const words = parts.length === 0 && whole !== undefined ? [whole] : parts;
  return words.filter((word) => word !== extension && !stopWords.has(word)).map(looseStem);
}

/** Numbers of steps or tickets do not make tasks different. */
function isSmallNumber(word: string): boolean {
  return /^\d{1,2}$/.test(word);
}

function stemsOf(text: string): string[] {
  return unique(wordsOf(text))
    .filter((word) => word.length <= weights.longestWord && !stopWords.has(word) && !isSmallNumber(word))
    .map(looseStem);
}
