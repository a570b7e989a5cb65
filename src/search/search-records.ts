import { RalphError } from "../domain/ralph-error.js";
import {
  type FieldWeights,
  keyOfHit,
  type LexicalHit,
  type LexicalIndex,
  type LexicalQuery,
  largeIndexFrom,
  type SearchKind,
} from "../store/lexical-index.js";
import { type CountedWord, countWords, fewRecords } from "./count-words.js";
import { exactFirst } from "./exact-first.js";
import { expandByFeedback, feedbackDepth } from "./expand-by-feedback.js";
import { planRetrieval, type RetrievalStep, type RetrievalSteps } from "./plan-retrieval.js";
import type { Question, QuestionWord } from "./question.js";
import { type Neighbours, rankMatches } from "./rank-matches.js";
import { noteKind } from "./record-kinds.js";

export interface RecordQuery
  extends Pick<LexicalQuery, "kind" | "sources" | "labelGroups" | "since" | "limit"> {
  question: Question;
  /** Large index: stop at this many results; the limit by default. */
  enough?: number;
  /** No prefixes and no typos: only records that share a word. */
  isExact?: boolean;
  /** Reads the text of hits; if given, hits are re-ranked by likeness to the top hits. */
  readTexts?: (hits: readonly LexicalHit[]) => Promise<string[]>;
}

/** How records are found for a question, best first. */
export type FindRecords = (lexical: LexicalIndex, query: RecordQuery) => Promise<LexicalHit[]>;

export const weights: FieldWeights = { title: 2.5, body: 1, tags: 2, files: 1.5, errors: 1, dates: 0.3 };

/** Notes written in one sitting are about the same things; other records are independent of each other. */
const neighboursOf: Readonly<Record<string, Neighbours>> = {
  [noteKind]: { count: 2, within: 6 * 60 * 60 * 1000, share: 0.35, upTo: 100 },
};

/** Large index: this many words of a long question are counted, and all of its names. */
const lookedUpWords = 32;
const minPrefixLength = 3;
const minTypoLength = 4;
/** Each word has hundreds of variants. */
const maxTypoWords = 6;
const maxTypoLength = 24;

/** The records that share words with a question, best first; prefixes and typos count only where no word matches. */
export async function searchRecords(lexical: LexicalIndex, query: RecordQuery): Promise<LexicalHit[]> {
  if (!Number.isInteger(query.limit) || query.limit < -1)
    throw new RalphError("wrong-use", `A search cannot be limited to ${query.limit} results`, {
      hint: "a whole number, or -1 for all",
    });
  const total = await lexical.estimateDocuments(query.kind);
  // An empty index would be searched longest: for prefixes and typos, too.
  if (total === 0) return [];
  const asked = query.question.words;
  const sorted = await sortWords(lexical, query, asked, total);
  if (query.isExact) return search(lexical, query, sorted);
  const hits = await searchWithFeedback(lexical, query, sorted);
  if (hits.length > 0) return exactFirst(lexical, { ...query, weights }, hits);
  if (!(await lexical.hasAllowed(query))) return hits;
  const words = asked.map(({ word }) => word);
  const nearHits = await search(lexical, query, { known: prefixesOf(words) });
  if (nearHits.length > 0) return nearHits;
  return search(lexical, query, { known: await knownVariants(lexical, query.kind, words) });
}

/** The words to search for, each as often as it counts. */
interface Wanted {
  known: readonly string[];
  /** By default, one step: any of the words. */
  steps?: RetrievalSteps | undefined;
}

async function search(
  lexical: LexicalIndex,
  query: RecordQuery,
  { known, steps = everywhere }: Wanted,
): Promise<LexicalHit[]> {
  const neighbours = neighboursOf[query.kind];
  const wanted = { ...query, words: known, weights, ...(neighbours && { neighbours }) };
  const enough = Math.min(query.limit, query.enough ?? query.limit);
  let hits: LexicalHit[] = [];
  for await (const step of steps()) {
    if ("required" in step) hits = await rankMatches(lexical, { ...wanted, required: step.required });
    else hits = await addNewest(lexical, { ...query, limit: enough, words: step.newestWith, weights }, hits);
    if (hits.length >= enough) break;
  }
  return hits;
}

async function* everywhere(): AsyncGenerator<RetrievalStep> {
  yield { required: { groups: [] } };
}

/** After the best results, the newest that hold a word too frequent to rank by. */
async function addNewest(
  lexical: LexicalIndex,
  query: LexicalQuery,
  hits: readonly LexicalHit[],
): Promise<LexicalHit[]> {
  const known = new Set(hits.map(keyOfHit));
  const newest = await rankMatches(lexical, { ...query, order: "newest" });
  return [...hits, ...newest.filter((hit) => !known.has(keyOfHit(hit)))].slice(0, query.limit);
}

async function searchWithFeedback(
  lexical: LexicalIndex,
  query: RecordQuery,
  wanted: SortedWords,
): Promise<LexicalHit[]> {
  const { readTexts, enough = query.limit } = query;
  if (readTexts === undefined) return search(lexical, query, wanted);
  const limit = query.limit === -1 ? -1 : Math.max(query.limit, feedbackDepth);
  const hits = await search(lexical, { ...query, limit, enough }, wanted);
  const found = { kind: query.kind, hits, emphasis: wanted.emphasis };
  const all = await expandByFeedback(lexical, found, readTexts, (related) =>
    search(lexical, { ...query, limit: feedbackDepth }, { known: related }),
  );
  return query.limit === -1 ? all : all.slice(0, query.limit);
}

interface SortedWords extends Wanted {
  /** How often the question's first words count. */
  emphasis: number;
}

/** The words of the question that records hold, each as often as it counts; the others as prefixes. */
async function sortWords(
  lexical: LexicalIndex,
  { kind, limit, isExact = false }: RecordQuery,
  asked: readonly QuestionWord[],
  total: number,
): Promise<SortedWords> {
  // Without a limit, every match is ranked.
  const isLarge = total >= largeIndexFrom && limit !== -1;
  const looked = isLarge ? asked.filter(({ isName }, place) => isName || place < lookedUpWords) : asked;
  const count = (words: readonly QuestionWord[], limit: number) =>
    countWords(lexical, words, { kind, limit, isLarge });
  const counted = await count(looked, fewRecords + 1);
  const unknown = isExact ? [] : counted.filter(({ count, weight }) => count === 0 && weight > 0);
  const beginnings = prefixesOf(unknown.map(({ word }) => word)).map((word) => ({
    word,
    weight: 1,
    isName: false,
  }));
  const begun = await count(beginnings, 1);
  const held = [...counted, ...begun].filter(({ count }) => count > 0);
  const emphasis = Math.max(1, ...asked.map(({ weight }) => weight));
  const timesOf = ({ weight, isName, count }: CountedWord) =>
    isName && count <= fewRecords ? weight + emphasis : weight;
  const { kept, steps } = isLarge ? planRetrieval(held, total) : { kept: held, steps: undefined };
  return {
    known: kept.flatMap((word) => Array.from({ length: timesOf(word) }, () => word.word)),
    steps,
    emphasis,
  };
}

function prefixesOf(words: readonly string[]): string[] {
  return words.filter((word) => word.length >= minPrefixLength).map((word) => `${word}*`);
}

async function knownVariants(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly string[],
): Promise<string[]> {
  const candidates = words
    .filter(({ length }) => length >= minTypoLength && length <= maxTypoLength)
    .slice(0, maxTypoWords);
  const variants = candidates.flatMap(typoVariants);
  const counts = await lexical.countHolding(kind, variants, 1);
  return variants.filter((_, place) => (counts[place] ?? 0) > 0);
}

const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];

/** Every word one typo away: a letter missing, added, replaced, or swapped with its neighbour. */
export function typoVariants(word: string): string[] {
  const variants = new Set<string>();
  for (let index = 0; index <= word.length; index += 1) {
    const before = word.slice(0, index);
    const after = word.slice(index);
    if (after !== "") variants.add(before + after.slice(1));
    if (after.length > 1) variants.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of letters) {
      variants.add(before + letter + after);
      if (after !== "") variants.add(before + letter + after.slice(1));
    }
  }
  variants.delete(word);
  variants.delete("");
  return [...variants];
}
