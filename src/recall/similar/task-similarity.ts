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

/** An objective as finished tasks are compared with it. */
export interface ComparedObjective {
  positions: TermPositions;
  /** The errors at hand. */
  errors: TermPositions;
}

/** A finished task as it is compared with an objective. */
export interface ComparedTask {
  positions: TermPositions;
  /** The files that it changed. */
  files: readonly string[];
  /** The errors that it met. */
  errors: readonly string[];
}

/** Why a task is similar. */
export interface SimilarityParts {
  /** How near the texts are, from 0 to 1. */
  text: number;
  /** How much of the path of a changed file the objective names, from 0 to 1; where the files are unknown, how much the
   * first lines cover each other, from 0 to 0.35. */
  files: number;
  /** That file. */
  file?: string;
  /** How much of an error of the task the errors of the objective repeat, from 0 to 0.7. */
  errors: number;
  /** Shared words, the most specific first. */
  words: string[];
}

/** The stems of a text by position, and those of texts beside it. */
export function termPositions(text: string, beside: readonly string[], weightBeside: number): TermPositions {
  const said = withoutComments(text.slice(0, weights.readLength * 2)).trim();
  const lineEnd = said.indexOf("\n");
  const firstLine = lineEnd === -1 ? said : said.slice(0, lineEnd);
  const others = said.slice(firstLine.length);
  const positions = new Map<string, number>();
  const put = (part: string, weight: number) => {
    for (const word of stemsOf(part)) positions.set(word, Math.max(weight, positions.get(word) ?? 0));
  };
  put(others.slice(tellingLength, weights.readLength), weights.position.rest);
  put(others.slice(0, tellingLength), weights.position.opening);
  for (const more of beside) put(more.slice(0, tellingLength), weightBeside);
  put(firstLine, weights.position.firstLine);
  return positions;
}

/** How much a stem says: from 0, for one in every text, to `mostTermWeight`. */
export type TermWeight = (word: string) => number;

/** How many records hold each stem, of how many. */
export interface Counted {
  holding: ReadonlyMap<string, number>;
  records: number;
}

/** The weight of stems: inverse frequency in the store, else in the texts at hand, blended with texts about software. */
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
    // The question counts as one text that holds the word.
    const here = Math.max(1, (isCounted ? counted.holding : holding).get(word) ?? 1);
    const all = Math.max(1, isCounted ? counted.records : texts.length);
    const share = (weights.backgroundTexts * backgroundShare(word) + here) / (weights.backgroundTexts + all);
    const weight = Math.min(weights.mostTermWeight, Math.max(0, -Math.log(share)));
    known.set(word, weight);
    return weight;
  };
}

/** The chance that a task is about the same part of the project as an objective, from 0 to 1. */
export function compareWithTask(
  objective: ComparedObjective,
  task: ComparedTask,
  weightOf: TermWeight,
): { similarity: number; parts: SimilarityParts } {
  const text = nearness(objective.positions, task.positions, weightOf);
  const named = bestNamedFile(objective.positions, task.files, weightOf);
  const errors = weights.errorRate * bestNamedError(objective.errors, task.errors, weightOf);
  const areFilesUnknown = task.files.length === 0 && !text.hangsOnOneWord;
  const files = areFilesUnknown
    ? weights.firstLinesForFiles * mutualCover(objective.positions, task.positions, weightOf)
    : named.share;
  const similarity =
    1 / (1 + Math.exp(weights.offset - weights.slope * (text.near + Math.max(files, errors))));
  return {
    similarity,
    parts: {
      text: text.near,
      files,
      ...(named.file !== undefined && { file: named.file }),
      errors,
      words: text.words,
    },
  };
}

/** The cosine of two texts. */
function nearness(
  one: TermPositions,
  other: TermPositions,
  weightOf: TermWeight,
): { near: number; hangsOnOneWord: boolean; words: string[] } {
  const weigh = (positions: TermPositions, word: string) => (positions.get(word) ?? 0) * weightOf(word);
  const lengthOf = (positions: TermPositions) => {
    let sum = 0;
    for (const word of positions.keys()) sum += weigh(positions, word) ** 2;
    return Math.sqrt(sum);
  };
  const shared = [...one.keys()].filter((word) => other.has(word));
  const product = shared.reduce((sum, word) => sum + weigh(one, word) * weigh(other, word), 0);
  const near = product === 0 ? 0 : product / (lengthOf(one) * lengthOf(other));
  const telling = shared.filter((word) => weightOf(word) >= weights.tellingFrom).length;
  const saysMore = (positions: TermPositions) =>
    [...positions.keys()].filter((word) => weightOf(word) >= weights.tellingFrom).length > telling;
  const hangsOnOneWord = telling <= 1 && (saysMore(one) || saysMore(other));
  const words = shared
    .filter((word) => weightOf(word) >= weights.tellingFrom)
    .sort((a, b) => weigh(one, b) * weigh(other, b) - weigh(one, a) * weigh(other, a));
  return {
    hangsOnOneWord,
    near: hangsOnOneWord ? Math.min(near, weights.oneWordNearness) : near,
    words: words.slice(0, weights.shownWords),
  };
}

/** How much of each first line the other text covers. */
function mutualCover(one: TermPositions, other: TermPositions, weightOf: TermWeight): number {
  return Math.sqrt(coverOfFirstLine(one, other, weightOf) * coverOfFirstLine(other, one, weightOf));
}

function coverOfFirstLine(one: TermPositions, other: TermPositions, weightOf: TermWeight): number {
  const words = [...one].filter(([, weight]) => weight === weights.position.firstLine).map(([word]) => word);
  return shareNamed(words, other, weightOf);
}

/** The share of some words that a text holds, by weight. */
function shareNamed(words: Iterable<string>, text: TermPositions, weightOf: TermWeight): number {
  let all = 0;
  let named = 0;
  for (const word of words) {
    all += weightOf(word);
    named += weightOf(word) * Math.sqrt(text.get(word) ?? 0);
  }
  return all === 0 ? 0 : named / all;
}

/** The changed file whose path the objective names most of, and the share of it. */
function bestNamedFile(
  objective: TermPositions,
  files: readonly string[],
  weightOf: TermWeight,
): { share: number; file?: string } {
  let best: { share: number; file?: string } = { share: 0 };
  for (const file of files.slice(0, weights.comparedFiles)) {
    const share = shareNamed(new Set(wordsOfPath(file)), objective, weightOf);
    if (share > best.share) best = { share, file };
  }
  return best;
}

function bestNamedError(said: TermPositions, errors: readonly string[], weightOf: TermWeight): number {
  if (said.size === 0) return 0;
  return Math.max(0, ...errors.map((error) => shareNamed(stemsOf(error), said, weightOf)));
}

/** The folders, the name, and the parts of the name of a file; without its extension. */
function wordsOfPath(path: string): string[] {
  const extension = /\.([A-Za-z0-9]{1,5})$/.exec(path)?.[1]?.toLowerCase();
  const [whole, ...parts] = wordsOf(path);
  const words = parts.length === 0 && whole !== undefined ? [whole] : parts;
  return words.filter((word) => word !== extension && !stopWords.has(word)).map(looseStem);
}

/** Tasks that are numbered, or of which each does one step more, are still about the same thing. */
function isSmallNumber(word: string): boolean {
  return /^\d{1,2}$/.test(word);
}

function stemsOf(text: string): string[] {
  return unique(wordsOf(text))
    .filter((word) => word.length <= weights.longestWord && !stopWords.has(word) && !isSmallNumber(word))
    .map(looseStem);
}
