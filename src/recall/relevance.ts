import type { Question } from "../search/question.js";
import { asIndexed, stem, withoutAccents } from "../words/stem.js";
import { isGenericWord } from "../words/word-lists.js";
import { wordWeight, wordWeights } from "../words/word-weight.js";
import { wordsOf } from "../words/words.js";
import { relevance } from "./weights.js";

/** A record that a search found. */
export interface Found<Item> {
  item: Item;
  /** What is compared with the question. */
  text: string;
  /** The search's score. */
  score: number;
}

export interface Relevant<Item> {
  item: Item;
  /** How well it answers the question, from 0 to 1. */
  relevance: number;
}

interface RelevanceOptions {
  /** Found by vectors too: the first hits may share no word. */
  isByMeaning?: boolean;
  /** Hits that cover less than this share of the best hit's coverage are dropped. */
  leastOfBestCoverage?: number;
}

/**
 * Makes the scores of one search comparable with other searches and kinds: how much of the question the best text covers,
 * times each hit's share of the best score.
 */
export function toRelevance<Item>(
  coverage: Coverage,
  hits: readonly Found<Item>[],
  { isByMeaning = false, leastOfBestCoverage = 0 }: RelevanceOptions = {},
): Relevant<Item>[] {
  const covered = hits.map(({ item, text, score }) => ({ item, score, share: coverage(text) }));
  const bestShare = Math.max(0, ...covered.map(({ share }) => share));
  const bestScore = Math.max(0, ...covered.map(({ score }) => score));
  const byWords = Math.sqrt(Math.min(1, bestShare / relevance.fullCoverage));
  const level = isByMeaning ? Math.max(byWords, relevance.leastByMeaning) : byWords;
  // Hits without scores, such as the newest with a frequent word, are equal.
  const ofBest = (score: number) => (bestScore === 0 ? 1 : score / bestScore);
  return covered
    .filter(
      ({ share, score }, place) =>
        (isByMeaning && place < relevance.trustedByMeaning) ||
        (level > 0 &&
          ofBest(score) >= relevance.leastOfBestScore &&
          (leastOfBestCoverage === 0 || (share > 0 && share >= bestShare * leastOfBestCoverage))),
    )
    .map(({ item, score }) => ({ item, relevance: level * ofBest(score) }));
}

/** A word of the question, and how it is matched in a text. */
interface QuestionWord {
  word: string;
  weight: number;
  isIn(lowerCase: string): boolean;
}

/** The share of the question that a text covers, from 0 to 1. */
export type Coverage = (text: string) => number;

/** A shorter root is a prefix of too many other words. */
const leastRoot = 5;

/** Coverage of several questions together. */
export function makeCoverage(questions: readonly Question[]): Coverage {
  const roots = new Map<string, QuestionWord>();
  for (const { word, weight } of questions.flatMap(({ words }) => words)) {
    const root = rootOf(word);
    if (weight > 0 && !roots.has(root))
      roots.set(root, { word, weight: weightOf(word), isIn: matcher(root) });
  }
  const asked = [...roots.values()];
  return (text) => coverage(asked, text);
}

/** Fillers count no more than generic words. */
function weightOf(word: string): number {
  return isGenericWord(word) ? Math.min(wordWeights.generic, wordWeight(word)) : wordWeight(word);
}

/** The prefix that all inflections of a word share. */
function rootOf(word: string): string {
  const stemmed = stem(word);
  let length = 0;
  while (length < stemmed.length && stemmed[length] === word[length]) length += 1;
  return word.slice(0, Math.max(length, Math.min(3, word.length)));
}

/**
 * ASCII roots match at the start of a word, short ones only if an inflection follows; words of other scripts match anywhere.
 * No regular expressions: compiling one per word is slower than the rest of recall.
 */
function matcher(root: string): (lowerCase: string) => boolean {
  if (!/^[a-z0-9]+$/.test(root)) return (text) => text.includes(root);
  return (text) => {
    for (let at = text.indexOf(root); at !== -1; at = text.indexOf(root, at + 1)) {
      if (at > 0 && isWordCharacter(text.charCodeAt(at - 1))) continue;
      if (root.length >= leastRoot || endsAsInflection(text, at + root.length)) return true;
    }
    return false;
  };
}

const inflections: readonly string[] = ["", "s", "es", "d", "ed", "ing", "y", "e"];

function endsAsInflection(text: string, start: number): boolean {
  return inflections.some(
    (ending) => text.startsWith(ending, start) && !isWordCharacter(text.charCodeAt(start + ending.length)),
  );
}

/** A lower-case ASCII letter, a digit or an underscore. */
function isWordCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}

/** The weighted share of a question's words that a text contains, from 0 to 1. */
function coverage(question: readonly QuestionWord[], text: string): number {
  const lowerCase = text.toLowerCase();
  const share = shareOf(question, ({ isIn }) => isIn(lowerCase));
  if (share > 0 || question.length === 0) return share;
  const indexed = indexedWords(text);
  return relevance.otherForm * shareOf(question, ({ word }) => indexed.has(asIndexed(word)));
}

function shareOf(question: readonly QuestionWord[], isFound: (asked: QuestionWord) => boolean): number {
  let shared = 0;
  let total = 0;
  for (const asked of question) {
    total += asked.weight;
    if (isFound(asked)) shared += asked.weight;
  }
  return total === 0 ? 0 : shared / total;
}

/**
 * The words by which a search may have found a text, including parts of identifiers and names without their number. Slower than
 * matching roots.
 */
function indexedWords(text: string): ReadonlySet<string> {
  return new Set(
    wordsOf(withoutAccents(text)).flatMap((word) => [asIndexed(word), asIndexed(word.replace(/\d+$/, ""))]),
  );
}
