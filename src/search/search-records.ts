import type {
  FieldWeights,
  LexicalHit,
  LexicalIndex,
  LexicalQuery,
  Neighbours,
} from "../store/lexical-index.js";
import { type AskedWord, askedWords } from "./asked-words.js";
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
  [noteKind]: { count: 2, within: 6 * 60 * 60 * 1000, share: 0.35 },
};

/** In a large index, a word that this share of the records holds is left out: it costs much and tells little. */
const frequentShare = 0.05;
/** No word of fewer records is left out for that, and every word of more. */
const frequentAtLeast = 500;
const frequentAtMost = 800;
/** So many records are looked at there for one question, by its rarest words. */
const affordable = 1600;
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
  const asked = askedWords(query.text);
  const { known, unknown, emphasis } = await sortWords(lexical, asked);
  if (query.isExact) return search(lexical, query, known);
  const prefixes = await knownPrefixes(lexical, unknown);
  const hits = await searchWithLike(lexical, query, [...known, ...prefixes], emphasis);
  if (hits.length > 0) return hits;
  const words = asked.map(({ word }) => word);
  const allPrefixes = words.filter((word) => word.length >= minPrefixLength).map((word) => `${word}*`);
  const nearHits = await search(lexical, query, allPrefixes);
  if (nearHits.length > 0) return nearHits;
  return search(lexical, query, await knownVariants(lexical, words));
}

function search(lexical: LexicalIndex, query: RecordQuery, words: readonly string[]): Promise<LexicalHit[]> {
  const neighbours = neighboursOf[query.kind];
  return lexical.search({ ...query, words, weights, ...(neighbours && { neighbours }) });
}

async function searchWithLike(
  lexical: LexicalIndex,
  query: RecordQuery,
  words: readonly string[],
  emphasis: number,
): Promise<LexicalHit[]> {
  const { readTexts } = query;
  if (readTexts === undefined) return search(lexical, query, words);
  const { addLike, searchedForLike } = await import("./add-like.js");
  const limit = query.limit === -1 ? -1 : Math.max(query.limit, searchedForLike);
  const hits = await search(lexical, { ...query, limit }, words);
  const all = await addLike(lexical, { hits, emphasis }, readTexts, (related) =>
    search(lexical, { ...query, limit: searchedForLike }, related),
  );
  return query.limit === -1 ? all : all.slice(0, query.limit);
}

/** The words that records hold, each as often as it counts, and those that none holds. */
async function sortWords(lexical: LexicalIndex, asked: readonly AskedWord[]) {
  const total = await lexical.estimateDocuments();
  const isLarge = total >= largeIndex;
  const frequent = Math.min(frequentAtMost, Math.max(frequentAtLeast, Math.ceil(total * frequentShare)));
  const counted: CountedWord[] = [];
  const lookedUp = isLarge ? asked.filter(({ isName }, index) => isName || index < lookedUpWords) : asked;
  for (const word of lookedUp) {
    const count = await lexical.countHolding(word.word, isLarge ? frequent : fewRecords + 1);
    counted.push({ ...word, count });
  }
  const held = counted.filter(({ count }) => count > 0);
  const emphasis = Math.max(1, ...asked.map(({ weight }) => weight));
  const timesOf = ({ weight, isName, count }: CountedWord) =>
    isName && count <= fewRecords ? weight + emphasis : weight;
  return {
    known: (isLarge ? withinReach(held, frequent) : held).flatMap((word) =>
      Array.from({ length: timesOf(word) }, () => word.word),
    ),
    unknown: counted.filter(({ count, weight }) => count === 0 && weight > 0).map(({ word }) => word),
    emphasis,
  };
}

interface CountedWord extends AskedWord {
  /** How many records hold it, as far as they were counted. */
  count: number;
}

/** The rarest words, as many as can be afforded; all of them when even the rarest cannot. */
function withinReach(words: readonly CountedWord[], frequent: number): readonly CountedWord[] {
  let spent = 0;
  const rarest = words
    .toSorted((one, other) => one.count - other.count)
    .filter(({ count }) => {
      spent += count;
      return spent <= affordable && count < frequent;
    });
  const kept = new Set(rarest);
  return kept.size === 0 ? words : words.filter((word) => kept.has(word));
}

async function knownPrefixes(lexical: LexicalIndex, words: readonly string[]): Promise<string[]> {
  const prefixes = words.filter((word) => word.length >= minPrefixLength).map((word) => `${word}*`);
  return keepHeld(lexical, prefixes);
}

async function knownVariants(lexical: LexicalIndex, words: readonly string[]): Promise<string[]> {
  const candidates = words
    .filter(({ length }) => length >= minTypoLength && length <= maxTypoLength)
    .slice(0, maxTypoWords);
  return keepHeld(lexical, candidates.flatMap(typoVariants));
}

async function keepHeld(lexical: LexicalIndex, words: readonly string[]): Promise<string[]> {
  const held: string[] = [];
  for (const word of words) {
    if ((await lexical.countHolding(word, 1)) > 0) held.push(word);
  }
  return held;
}
