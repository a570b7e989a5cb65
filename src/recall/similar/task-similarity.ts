import { unique } from "../../text/unique.js";
import { withoutComments } from "../../text/without-comments.js";
import { backgroundShare } from "../../words/frequencies/word-frequencies.js";
import { looseStem } from "../../words/loose-stem.js";
import { stopWords } from "../../words/stop-words.js";
import { wordsOf } from "../../words/words.js";

/** What a task says, by stem: how much its place in the text tells. The first line tells most. */
export type Places = ReadonlyMap<string, number>;

/** An objective as finished tasks are compared with it. */
export interface ComparedObjective {
  places: Places;
  /** What the errors say that have been met. */
  errors: Places;
}

/** A finished task as it is compared with an objective. */
export interface ComparedTask {
  places: Places;
  /** The files that it changed. */
  files: readonly string[];
  /** The errors that it met. */
  errors: readonly string[];
}

/** Why a task is similar, for whoever asks. */
export interface SimilarityParts {
  /** How near the texts are, from 0 to 1. */
  text: number;
  /** How much of the path of a file that the task changed the objective names, from 0 to 1; where its files are not known,
   * how much the first lines cover each other, from 0 to 0.35. */
  files: number;
  /** That file. */
  file?: string;
  /** How much of an error that the task met the errors of the objective say, from 0 to 0.7. */
  errors: number;
  /** What both texts say, most telling first. */
  words: string[];
}

export const placeWeights = { firstLine: 1, opening: 0.5, rest: 0.2 } as const;
const openingLength = 500;
const readLength = 2_000;
const longestWord = 64;
const comparedFiles = 10;
const shownWords = 8;

/** The background counts as this many texts beside those of the store. */
const backgroundTexts = 30;
const mostTelling = 5.5;
const tellingFrom = 2;
/** A single telling word in common makes texts this near at most, unless neither says more. */
const oneWordNearness = 0.5;
/** Where files are not known, first lines that cover each other stand in for them, at this rate. */
const firstLinesForFiles = 0.35;
/** An error met again tells less than a file: the same message comes from many places. */
const errorRate = 0.7;
/** Fitted to pairs of real issues, of which some were fixed in the same file: see docs/decisions/0012-similar-tasks.md. */
const slope = 9;
const offset = 6;

/** The words of a text by what their place tells, and of what is known beside it. */
export function placesOf(text: string, beside: readonly string[], weightBeside: number): Places {
  const said = withoutComments(text.slice(0, readLength * 2)).trim();
  const lineEnd = said.indexOf("\n");
  const firstLine = lineEnd === -1 ? said : said.slice(0, lineEnd);
  const others = said.slice(firstLine.length);
  const places = new Map<string, number>();
  const put = (part: string, weight: number) => {
    for (const word of stemsOf(part)) places.set(word, Math.max(weight, places.get(word) ?? 0));
  };
  put(others.slice(openingLength, readLength), placeWeights.rest);
  put(others.slice(0, openingLength), placeWeights.opening);
  for (const more of beside) put(more.slice(0, openingLength), weightBeside);
  put(firstLine, placeWeights.firstLine);
  return places;
}

/** How telling a stem is: from 0, for one in every text, to `mostTelling`. */
export type Tell = (word: string) => number;

/** In how many of how many records stems occur. */
export interface Counted {
  holding: ReadonlyMap<string, number>;
  records: number;
}

/** How telling stems are: as counted in the store, else among the texts at hand, and in texts about software. */
export function tellAmong(texts: readonly ComparedTask[], counted: Counted): Tell {
  const holding = new Map<string, number>();
  for (const { places, files } of texts) {
    const words = new Set([...places.keys(), ...files.flatMap(wordsOfPath)]);
    for (const word of words) holding.set(word, (holding.get(word) ?? 0) + 1);
  }
  const tells = new Map<string, number>();
  return (word) => {
    const before = tells.get(word);
    if (before !== undefined) return before;
    const isCounted = counted.holding.has(word);
    // Whoever asks for a word counts as one that holds it.
    const here = Math.max(1, (isCounted ? counted.holding : holding).get(word) ?? 1);
    const all = Math.max(1, isCounted ? counted.records : texts.length);
    const share = (backgroundTexts * backgroundShare(word) + here) / (backgroundTexts + all);
    const tell = Math.min(mostTelling, Math.max(0, -Math.log(share)));
    tells.set(word, tell);
    return tell;
  };
}

/** The chance that a task is about the same part of the project as an objective, from 0 to 1. */
export function compareWithTask(
  objective: ComparedObjective,
  task: ComparedTask,
  tell: Tell,
): { similarity: number; parts: SimilarityParts } {
  const text = nearness(objective.places, task.places, tell);
  const named = bestNamedFile(objective.places, task.files, tell);
  const errors = errorRate * bestNamedError(objective.errors, task.errors, tell);
  const areFilesUnknown = task.files.length === 0 && !text.hangsOnOneWord;
  const files = areFilesUnknown
    ? firstLinesForFiles * mutualCover(objective.places, task.places, tell)
    : named.share;
  const similarity = 1 / (1 + Math.exp(offset - slope * (text.near + Math.max(files, errors))));
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
  one: Places,
  other: Places,
  tell: Tell,
): { near: number; hangsOnOneWord: boolean; words: string[] } {
  const weigh = (places: Places, word: string) => (places.get(word) ?? 0) * tell(word);
  const lengthOf = (places: Places) => {
    let sum = 0;
    for (const word of places.keys()) sum += weigh(places, word) ** 2;
    return Math.sqrt(sum);
  };
  const shared = [...one.keys()].filter((word) => other.has(word));
  const product = shared.reduce((sum, word) => sum + weigh(one, word) * weigh(other, word), 0);
  const near = product === 0 ? 0 : product / (lengthOf(one) * lengthOf(other));
  const telling = shared.filter((word) => tell(word) >= tellingFrom).length;
  const saysMore = (places: Places) =>
    [...places.keys()].filter((word) => tell(word) >= tellingFrom).length > telling;
  const hangsOnOneWord = telling <= 1 && (saysMore(one) || saysMore(other));
  const words = shared
    .filter((word) => tell(word) >= tellingFrom)
    .sort((a, b) => weigh(one, b) * weigh(other, b) - weigh(one, a) * weigh(other, a));
  return {
    hangsOnOneWord,
    near: hangsOnOneWord ? Math.min(near, oneWordNearness) : near,
    words: words.slice(0, shownWords),
  };
}

/** How much of the first line of each of two texts the other one says. */
function mutualCover(one: Places, other: Places, tell: Tell): number {
  return Math.sqrt(coverOfFirstLine(one, other, tell) * coverOfFirstLine(other, one, tell));
}

function coverOfFirstLine(one: Places, other: Places, tell: Tell): number {
  const words = [...one].filter(([, weight]) => weight === placeWeights.firstLine).map(([word]) => word);
  return shareNamed(words, other, tell);
}

/** How much of some words a text says, by what they tell. */
function shareNamed(words: Iterable<string>, text: Places, tell: Tell): number {
  let all = 0;
  let named = 0;
  for (const word of words) {
    all += tell(word);
    named += tell(word) * Math.sqrt(text.get(word) ?? 0);
  }
  return all === 0 ? 0 : named / all;
}

/** The changed file whose path an objective names most of, and how much of it. */
function bestNamedFile(
  objective: Places,
  files: readonly string[],
  tell: Tell,
): { share: number; file?: string } {
  let best: { share: number; file?: string } = { share: 0 };
  for (const file of files.slice(0, comparedFiles)) {
    const share = shareNamed(new Set(wordsOfPath(file)), objective, tell);
    if (share > best.share) best = { share, file };
  }
  return best;
}

function bestNamedError(said: Places, errors: readonly string[], tell: Tell): number {
  if (said.size === 0) return 0;
  return Math.max(0, ...errors.map((error) => shareNamed(stemsOf(error), said, tell)));
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
    .filter((word) => word.length <= longestWord && !stopWords.has(word) && !isSmallNumber(word))
    .map(looseStem);
}
