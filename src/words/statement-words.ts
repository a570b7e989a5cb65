import { wordSet } from "../text/word-set.js";
import { looseStem } from "./stem.js";
import { fillers, limits, roleWords, stopWords } from "./word-lists.js";
import { wordWeight, wordWeights } from "./word-weight.js";
import { hasParts, wordsOf } from "./words.js";

/**
 * A text prepared for comparison: the stems of its words with integer weights. A negative weight means that the word is
 * negated ("never mock the clock", "pnpm instead of npm").
 */
export interface StatementWords {
  weights: ReadonlyMap<string, number>;
  /** Other spellings of its words, `1`, or `-1` if negated: parts of `userStore`, "lockfile" for "lock file". */
  implied: ReadonlyMap<string, number>;
  /** The sum of the absolute weights. */
  total: number;
  /** The counts of words that occur more than once. */
  repeats: ReadonlyMap<string, number>;
  /** The word after "before", "over" and the like, where the order of two things matters. */
  roles: ReadonlyMap<string, string>;
  /** Words that make a different statement if only one text has them: numbers, operators, "only", "before". */
  values: ReadonlySet<string>;
}

/** If each text has a word of this weight that the other lacks, the statements differ. */
export const tellingWeight = wordWeights.common;

const negations = wordSet("not no never nor cannot without avoid avoids avoiding stop stopped stops");
const clauseStarts = wordSet(
  "but because since so when if unless while instead use always prefer then otherwise",
);

/** Abbreviations and their full words. */
const aliases: ReadonlyMap<string, string> = new Map(
  (
    "app:application args:arguments auth:authentication config:configuration configs:configuration db:database " +
    "deps:dependencies dev:development dir:directory dirs:directory doc:documentation docs:documentation " +
    "env:environment js:javascript k8s:kubernetes params:parameters pkg:package postgres:postgresql prod:production " +
    "repo:repository repos:repository ts:typescript"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

/** Parses a text, which is slower than comparing it: keep the result. */
export function statementWords(text: string): StatementWords {
  const words = gather(text, false);
  if (words.total > 0) return words;
  const all = gather(text, true);
  if (all.total > 0) return all;
  return { ...all, weights: new Map([[text.trim(), tellingWeight]]), total: tellingWeight };
}

/** The words that name the topic of a text, without fillers and verbs such as "use". */
export function topicWords(text: string): string[] {
  return [...gather(text, false).weights].filter(([, weight]) => isTopic(weight)).map(([word]) => word);
}

/** Whether a weight, negated or not, is that of a topic word. */
export function isTopic(weight: number): boolean {
  return Math.abs(weight) >= wordWeights.generic;
}

function gather(text: string, withFillers: boolean): StatementWords {
  const weights = new Map<string, number>();
  const roles = new Map<string, string>();
  const values = new Set<string>();
  const implied = new Map<string, number>();
  const repeats = new Map<string, number>();
  let before = "";
  let isNegated = false;
  let negatedWords = 0;
  let role: string | undefined;
  const add = (key: string, weight: number) => {
    const known = weights.get(key);
    if (known !== undefined && weight >= tellingWeight) repeats.set(key, (repeats.get(key) ?? 1) + 1);
    // A word both negated and affirmed, as in "not X but X", counts as affirmed.
    if (known === undefined || known < 0) weights.set(key, isNegated ? -weight : weight);
    if (isNegated) negatedWords += 1;
  };
  for (const token of normalised(text).split(/\s+/)) {
    const words = wordsOf(token);
    for (const word of words) {
      if (isNegated && negatedWords > 0 && clauseStarts.has(word)) isNegated = false;
      if (negations.has(word)) {
        isNegated = true;
        negatedWords = 0;
        continue;
      }
      if (limits.has(word)) {
        weights.set(word, wordWeights.limit);
        values.add(word);
      }
      if (roleWords.has(word)) role = word;
      if (limits.has(word) || (!withFillers && (stopWords.has(word) || fillers.has(word)))) continue;
      const key = looseStem(aliases.get(word) ?? word);
      if (words.length > 1 && isOtherSpelling(word, words, token)) {
        implied.set(key, isNegated ? -1 : 1);
        continue;
      }
      if (before !== "") implied.set(looseStem(before + word), isNegated ? -1 : 1);
      before = word;
      add(key, wordWeight(word));
      if (/\d/.test(word)) values.add(key);
      if (role !== undefined && !roles.has(role)) roles.set(role, key);
      role = undefined;
    }
    const operator = operatorIn(token);
    if (operator !== undefined) {
      add(operator, wordWeights.common);
      values.add(operator);
    }
    if (/[,;:.!?)]$/.test(token)) isNegated = false;
  }
  let total = 0;
  for (const weight of weights.values()) total += Math.abs(weight);
  return { weights, implied, total, repeats, roles, values };
}

/** Turns names such as C++ into words, and unifies negations; "never forget" is not one. */
function normalised(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[’ʼ]/g, "'")
    .replace(/(^|\s)-(?=\d)/g, "$1minus")
    .replace(/\b(c|f)#/gi, "$1sharp")
    .replace(/\b([cg])\+\+/gi, "$1plusplus")
    .replace(/n't\b/gi, " not")
    .replace(/\b(?:(?:do|does|did) not|never) (?:forget|fail|hesitate|neglect)\b/gi, "always")
    .replace(/\b(?:instead of|rather than|no longer|not any longer)\b/gi, " not ");
}

/** A token that is a programming language operator, quoted or not. */
function operatorIn(token: string): string | undefined {
  const marks = /^[`'"(]*([=<>!&|+*%^~?/-]{1,4})[`'"),.;:]*$/.exec(token)?.[1];
  return marks !== undefined && /[=<>&|+*%^~]/.test(marks) ? marks : undefined;
}

/**
 * Whether a word of a token repeats others of it: `user` in `userStore`, which counts as one word, and `srclogints` in
 * `src/login.ts`, whose parts count. Words with digits, such as versions, always count.
 */
function isOtherSpelling(word: string, words: readonly string[], token: string): boolean {
  if (/\d/.test(word)) return false;
  return hasParts(token)
    ? isMadeOf(word, words)
    : words.some((whole) => whole !== word && whole.includes(word));
}

/** Whether a word is a concatenation of the others. */
function isMadeOf(word: string, words: readonly string[]): boolean {
  if (words.length > maxParts) return false;
  const reached = [true];
  for (let at = 0; at < word.length; at += 1) {
    if (!reached[at]) continue;
    for (const part of words) {
      if (part !== word && word.startsWith(part, at)) reached[at + part.length] = true;
    }
  }
  return reached[word.length] === true;
}

/** Tokens with more parts are data rather than identifiers, and too slow to check. */
const maxParts = 32;
