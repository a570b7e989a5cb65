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
import { typoVariants } from "../words/typo-variants.js";
import { type CountedWord, countWords, fewRecords, rareAtMost } from "./count-words.js";
import { noteKind } from "./documents/note-labels.js";
import type { Question, QuestionWord } from "./question.js";
import { type Neighbours, rankMatches } from "./rank-matches.js";
import { type Reach, type Reaches, withinReach } from "./within-reach.js";

export interface RecordQuery
  extends Pick<LexicalQuery, "kind" | "sources" | "labelGroups" | "since" | "limit"> {
  question: Question;
  /** With so many results it is not looked any further in a large index; with as many as wanted when absent. */
  enough?: number;
  /** Only records that share a word as it is: for questions that nobody waits to see answered at any price. */
  isExact?: boolean;
  /** Reads what found records say. The best are read where given: what they say finds more of their like. */
  readTexts?: (hits: readonly LexicalHit[]) => Promise<string[]>;
}

/** How records are found for a question, best first. */
export type FindRecords = (lexical: LexicalIndex, query: RecordQuery) => Promise<LexicalHit[]>;

export const weights: FieldWeights = { title: 2.5, body: 1, tags: 2, files: 1.5, errors: 1, dates: 0.3 };

/** Notes written in one sitting are about the same things; of other kinds of record each stands for itself. */
const neighboursOf: Readonly<Record<string, Neighbours>> = {
  [noteKind]: { count: 2, within: 6 * 60 * 60 * 1000, share: 0.35, upTo: 100 },
};

/** There, so many words of a long question and all of its names are looked up. */
const lookedUpWords = 32;
const minPrefixLength = 3;
const minTypoLength = 4;
/** Each word has hundreds of variants to look up. */
const maxTypoWords = 6;
const maxTypoLength = 24;

/** Answers a question with the records that share its words, best first; near words count only where none match. */
export async function searchRecords(lexical: LexicalIndex, query: RecordQuery): Promise<LexicalHit[]> {
  if (!Number.isInteger(query.limit) || query.limit < -1)
    throw new RalphError("wrong-use", `A search cannot be limited to ${query.limit} results`, {
      hint: "a whole number, or -1 for all",
    });
  const total = await lexical.estimateDocuments(query.kind);
  // Looking for words near to those of the question takes longest where there is nothing to find.
  if (total === 0) return [];
  const asked = query.question.words;
  const sorted = await sortWords(lexical, query, asked, total);
  if (query.isExact) return search(lexical, query, sorted);
  const hits = await searchWithLike(lexical, query, sorted);
  if (hits.length > 0 || !(await lexical.hasAllowed(query))) return hits;
  const words = asked.map(({ word }) => word);
  const nearHits = await search(lexical, query, { known: prefixesOf(words) });
  if (nearHits.length > 0) return nearHits;
  return search(lexical, query, { known: await knownVariants(lexical, query.kind, words) });
}

/** What is looked for: words, each as often as it counts. */
interface Wanted {
  known: readonly string[];
  /** When absent, records that have any of the words. */
  reaches?: Reaches | undefined;
}

async function search(
  lexical: LexicalIndex,
  query: RecordQuery,
  { known, reaches = everywhere }: Wanted,
): Promise<LexicalHit[]> {
  const neighbours = neighboursOf[query.kind];
  const wanted = { ...query, words: known, weights, ...(neighbours && { neighbours }) };
  const enough = Math.min(query.limit, query.enough ?? query.limit);
  let hits: LexicalHit[] = [];
  for await (const reach of reaches()) {
    if ("required" in reach) hits = await rankMatches(lexical, { ...wanted, required: reach.required });
    else hits = await addNewest(lexical, { ...query, words: reach.newestWith, weights }, hits);
    if (hits.length >= enough) break;
  }
  return hits;
}

async function* everywhere(): AsyncGenerator<Reach> {
  yield { required: { groups: [] } };
}

/** Behind the best results, the newest that hold a word which so many hold that it tells no more than that. */
async function addNewest(
  lexical: LexicalIndex,
  query: LexicalQuery,
  hits: readonly LexicalHit[],
): Promise<LexicalHit[]> {
  const known = new Set(hits.map(keyOfHit));
  const newest = await rankMatches(lexical, { ...query, order: "newest" });
  return [...hits, ...newest.filter((hit) => !known.has(keyOfHit(hit)))].slice(0, query.limit);
}

async function searchWithLike(
  lexical: LexicalIndex,
  query: RecordQuery,
  wanted: SortedWords,
): Promise<LexicalHit[]> {
  const { readTexts, enough = query.limit } = query;
  if (readTexts === undefined) return search(lexical, query, wanted);
  const { addLike, searchedForLike } = await import("./add-like.js");
  const limit = query.limit === -1 ? -1 : Math.max(query.limit, searchedForLike);
  const hits = await search(lexical, { ...query, limit, enough }, wanted);
  const found = { kind: query.kind, hits, emphasis: wanted.emphasis };
  const all = await addLike(lexical, found, readTexts, (related) =>
    search(lexical, { ...query, limit: searchedForLike }, { known: related }),
  );
  return query.limit === -1 ? all : all.slice(0, query.limit);
}

interface SortedWords extends Wanted {
  /** How often the words count that are said first. */
  emphasis: number;
}

/** The words that records hold, each as often as it counts; of those that none holds, the beginnings that some do. */
async function sortWords(
  lexical: LexicalIndex,
  { kind, limit, isExact = false }: RecordQuery,
  asked: readonly QuestionWord[],
  total: number,
): Promise<SortedWords> {
  // Whoever asks for all gets all.
  const isLarge = total >= largeIndexFrom && limit !== -1;
  const looked = isLarge ? asked.filter(({ isName }, place) => isName || place < lookedUpWords) : asked;
  const counted = await countWords(lexical, kind, looked, isLarge ? rareAtMost + 1 : fewRecords + 1);
  const unknown = isExact ? [] : counted.filter(({ count, weight }) => count === 0 && weight > 0);
  const beginnings = prefixesOf(unknown.map(({ word }) => word)).map((word) => ({
    word,
    weight: 1,
    isName: false,
  }));
  const begun = await countWords(lexical, kind, beginnings, isLarge ? rareAtMost + 1 : 1);
  const held = [...counted, ...begun].filter(({ count }) => count > 0);
  const emphasis = Math.max(1, ...asked.map(({ weight }) => weight));
  const timesOf = ({ weight, isName, count }: CountedWord) =>
    isName && count <= fewRecords ? weight + emphasis : weight;
  const { kept, reaches } = isLarge
    ? await withinReach({ lexical, kind, total }, held)
    : { kept: held, reaches: undefined };
  return {
    known: kept.flatMap((word) => Array.from({ length: timesOf(word) }, () => word.word)),
    reaches,
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
