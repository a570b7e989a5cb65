import type {
  FieldWeights,
  LexicalHit,
  LexicalIndex,
  LexicalQuery,
  Neighbours,
  SearchKind,
} from "../store/lexical-index.js";
import { type AskedWord, askedWords } from "./asked-words.js";
import { isGenericWord } from "./generic-words.js";
import { noteKind } from "./note-labels.js";
import { typoVariants } from "./typo-variants.js";

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

/** So many records are looked at for one question in a large index: those that hold its rarest words. */
const affordable = 150;
/** A word in more than this many is a frequent one. */
const rareAtMost = 800;
/** Where each word is in more, the two rarest of the first ones are looked for together; so far they are counted. */
const countedAtMost = 4000;
/** Of so many of the next rarest words one has to stand beside a rarest one that many records hold. */
const nextRarest = 2;
/** More frequent words than this cost more than they tell, beside rare ones and without. */
const frequentBesideRare = 1;
const frequentAlone = 3;
const largeIndex = 2000;
/** There, so many words of a long question and all of its names are looked up. */
const lookedUpWords = 32;
/** A name that so few records hold is what the question is about. */
const fewRecords = 10;
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
  const sorted = await sortWords(lexical, query.kind, asked, total >= largeIndex);
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

/** What is looked for: words, each as often as it counts, and of which of them a record must have one. */
interface Wanted {
  known: readonly string[];
  required?: readonly (readonly string[])[] | undefined;
}

async function search(
  lexical: LexicalIndex,
  query: RecordQuery,
  { known, required }: Wanted,
): Promise<LexicalHit[]> {
  const neighbours = neighboursOf[query.kind];
  const searchFor = (groups: Wanted["required"]) =>
    lexical.search({ ...query, words: known, required: groups, weights, ...(neighbours && { neighbours }) });
  const hits = await searchFor(required);
  // Words that are frequent each may seldom stand together.
  const [first, ...others] = required ?? [];
  const isShort = first !== undefined && others.length > 0 && hits.length < query.limit;
  return isShort ? searchFor([first]) : hits;
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
  const [rarest = [], ...others] = sorted.required ?? [];
  return {
    ...sorted,
    known: [...sorted.known, ...prefixes],
    required: sorted.required && [[...rarest, ...prefixes], ...others],
  };
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
  const { kept, required } = isLarge
    ? await withinReach(lexical, kind, held)
    : { kept: held, required: undefined };
  return {
    known: kept.flatMap((word) => Array.from({ length: timesOf(word) }, () => word.word)),
    required,
    unknown: counted.filter(({ count, weight }) => count === 0 && weight > 0).map(({ word }) => word),
    emphasis,
  };
}

interface CountedWord extends AskedWord {
  /** How many records hold it, as far as they were counted. */
  count: number;
}

/** The words that count in a large index, and those among them by which records are found: the rarest, as many as can be afforded. */
async function withinReach(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly CountedWord[],
): Promise<{ kept: readonly CountedWord[]; required: readonly (readonly string[])[] | undefined }> {
  const telling = words.filter(({ weight, isName, count }) => weight > 0 || (isName && count <= fewRecords));
  const isRare = ({ count }: CountedWord) => count <= rareAtMost;
  const specific = telling.filter((word) => isRare(word) || !isGenericWord(word.word));
  // "Fix the test" has nothing but what every task says.
  const counting = specific.length > 0 ? specific : telling;
  const mostFrequent = telling.some(isRare) ? frequentBesideRare : frequentAlone;
  const frequent = counting.filter((word) => !isRare(word)).slice(0, mostFrequent);
  let spent = 0;
  const rarest = rarestFirst(telling.filter(isRare)).filter(({ count }, place) => {
    spent += count;
    return place === 0 || spent <= affordable;
  });
  const kept = counting.filter((word) => isRare(word) || frequent.includes(word));
  const [first] = rarest;
  if (first !== undefined) {
    if (rarest.length === kept.length) return { kept, required: undefined };
    // Too many records hold it alone: one of the next rarest words has to be there.
    const next = rarestFirst(kept.filter((word) => word !== first)).slice(0, nextRarest);
    if (first.count > affordable) return { kept, required: [[first.word], next.map(({ word }) => word)] };
    return { kept, required: [rarest.map(({ word }) => word)] };
  }
  const together = rarestFirst(await countWords(lexical, kind, frequent, countedAtMost)).slice(0, 2);
  return { kept, required: together.length === 0 ? undefined : together.map(({ word }) => [word]) };
}

async function countWords(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly AskedWord[],
  limit: number,
): Promise<CountedWord[]> {
  const counts = await lexical.countHolding(
    kind,
    words.map(({ word }) => word),
    limit,
  );
  return words.map((word, place) => ({ ...word, count: counts[place] ?? 0 }));
}

function rarestFirst(words: readonly CountedWord[]): CountedWord[] {
  return words.toSorted((one, other) => one.count - other.count);
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
