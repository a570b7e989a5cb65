import type {
  FieldWeights,
  LexicalHit,
  LexicalIndex,
  LexicalQuery,
  Neighbours,
  SearchKind,
} from "../store/lexical-index.js";
import { type AskedWord, askedWords } from "./asked-words.js";
import { noteKind } from "./note-labels.js";
import { typoVariants } from "./typo-variants.js";
import {
  type CountedWord,
  countWords,
  fewRecords,
  type Reaches,
  type RequiredGroups,
  rareAtMost,
  withinReach,
} from "./within-reach.js";

export interface RecordQuery
  extends Pick<LexicalQuery, "kind" | "sources" | "labelGroups" | "since" | "limit"> {
  text: string;
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

const largeIndex = 2000;
/** There, with so many results, however many were asked for, it is not looked any further. */
const fullAnswer = 10;
/** There, so many words of a long question and all of its names are looked up. */
const lookedUpWords = 32;
const minPrefixLength = 3;
const minTypoLength = 4;
/** Each word has hundreds of variants to look up. */
const maxTypoWords = 6;
const maxTypoLength = 24;

/** Answers a question with the records that share its words, best first; near words count only where none match. */
export async function searchRecords(lexical: LexicalIndex, query: RecordQuery): Promise<LexicalHit[]> {
  const total = await lexical.estimateDocuments(query.kind);
  // Looking for words near to those of the question takes longest where there is nothing to find.
  if (total === 0) return [];
  const asked = askedWords(query.text);
  // Whoever asks for all gets all.
  const isLarge = total >= largeIndex && query.limit !== -1;
  const sorted = await sortWords(lexical, query.kind, asked, isLarge);
  if (query.isExact) return search(lexical, query, sorted);
  const prefixes = await knownPrefixes(lexical, query.kind, sorted.unknown);
  const hits = await searchWithLike(lexical, query, withPrefixes(sorted, prefixes));
  if (hits.length > 0) return hits;
  const words = asked.map(({ word }) => word);
  const allPrefixes = words.filter((word) => word.length >= minPrefixLength).map((word) => `${word}*`);
  const nearHits = await search(lexical, query, { known: allPrefixes });
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
  { known, reaches = anyWord }: Wanted,
): Promise<LexicalHit[]> {
  const neighbours = neighboursOf[query.kind];
  const wanted = { ...query, words: known, weights, ...(neighbours && { neighbours }) };
  let hits: LexicalHit[] = [];
  for await (const required of reaches()) {
    hits = await lexical.search({ ...wanted, required });
    if (hits.length >= Math.min(query.limit, fullAnswer)) break;
  }
  return hits;
}

async function* anyWord(): AsyncGenerator<RequiredGroups> {
  yield [];
}

async function searchWithLike(
  lexical: LexicalIndex,
  query: RecordQuery,
  wanted: SortedWords,
): Promise<LexicalHit[]> {
  const { readTexts } = query;
  if (readTexts === undefined) return search(lexical, query, wanted);
  const { addLike, searchedForLike } = await import("./add-like.js");
  const limit = query.limit === -1 ? -1 : Math.max(query.limit, searchedForLike);
  const hits = await search(lexical, { ...query, limit }, wanted);
  const found = { kind: query.kind, hits, emphasis: wanted.emphasis };
  const all = await addLike(lexical, found, readTexts, (related) =>
    search(lexical, { ...query, limit: searchedForLike }, { known: related }),
  );
  return query.limit === -1 ? all : all.slice(0, query.limit);
}

interface SortedWords extends Wanted {
  /** Words that no record holds. */
  unknown: readonly string[];
  /** How often the words count that are said first. */
  emphasis: number;
}

function withPrefixes(sorted: SortedWords, prefixes: readonly string[]): SortedWords {
  if (prefixes.length === 0) return sorted;
  const { known, reaches } = sorted;
  return {
    ...sorted,
    known: [...known, ...prefixes],
    reaches: reaches && (() => addToFirst(reaches(), prefixes)),
  };
}

async function* addToFirst(
  reaches: AsyncIterable<RequiredGroups>,
  words: readonly string[],
): AsyncGenerator<RequiredGroups> {
  for await (const [first = [], ...others] of reaches) yield [[...first, ...words], ...others];
}

/** The words that records hold, each as often as it counts, and those that none holds. */
async function sortWords(
  lexical: LexicalIndex,
  kind: SearchKind,
  asked: readonly AskedWord[],
  isLarge: boolean,
): Promise<SortedWords> {
  const looked = isLarge ? asked.filter(({ isName }, place) => isName || place < lookedUpWords) : asked;
  const counted = await countWords(lexical, kind, looked, isLarge ? rareAtMost + 1 : fewRecords + 1);
  const held = counted.filter(({ count }) => count > 0);
  const emphasis = Math.max(1, ...asked.map(({ weight }) => weight));
  const timesOf = ({ weight, isName, count }: CountedWord) =>
    isName && count <= fewRecords ? weight + emphasis : weight;
  const { kept, reaches } = isLarge ? withinReach(lexical, kind, held) : { kept: held, reaches: undefined };
  return {
    known: kept.flatMap((word) => Array.from({ length: timesOf(word) }, () => word.word)),
    reaches,
    unknown: counted.filter(({ count, weight }) => count === 0 && weight > 0).map(({ word }) => word),
    emphasis,
  };
}

async function knownPrefixes(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly string[],
): Promise<string[]> {
  const prefixes = words.filter((word) => word.length >= minPrefixLength).map((word) => `${word}*`);
  return keepHeld(lexical, kind, prefixes);
}

async function knownVariants(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly string[],
): Promise<string[]> {
  const candidates = words
    .filter(({ length }) => length >= minTypoLength && length <= maxTypoLength)
    .slice(0, maxTypoWords);
  return keepHeld(lexical, kind, candidates.flatMap(typoVariants));
}

async function keepHeld(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly string[],
): Promise<string[]> {
  const counts = await lexical.countHolding(kind, words, 1);
  return words.filter((_, place) => (counts[place] ?? 0) > 0);
}
