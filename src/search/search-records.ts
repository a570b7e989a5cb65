import type { FieldWeights, LexicalHit, LexicalIndex, LexicalQuery } from "../store/lexical-index.js";
import { shapeQuery } from "./shape-query.js";
import { typoVariants } from "./typo-variants.js";
import { questionWords } from "./words.js";

export interface RecordQuery
  extends Pick<LexicalQuery, "kind" | "sources" | "labelGroups" | "since" | "limit"> {
  text: string;
  /** Only records that share a word as it is: for questions that nobody waits to see answered at any price. */
  isExact?: boolean;
}

/** How records are found for a question, best first. */
export type FindRecords = (lexical: LexicalIndex, query: RecordQuery) => Promise<LexicalHit[]>;

export const weights: FieldWeights = { title: 1.5, body: 1, tags: 2, files: 1.5, errors: 1 };

/** A word in more than this share of a large index is left out when rarer ones are there: it costs much and tells little. */
const frequentShare = 0.05;
const largeIndex = 2000;
const minPrefixLength = 3;
const minTypoLength = 4;
const maxWords = 64;
/** Each word has hundreds of variants to look up. */
const maxTypoWords = 6;
const maxTypoLength = 24;

/** Answers a question with the records that share its words, best first; near words count only where none match. */
export async function searchRecords(lexical: LexicalIndex, query: RecordQuery): Promise<LexicalHit[]> {
  const words = questionWords(shapeQuery(query.text)).slice(0, maxWords);
  const { known, unknown } = await sortWords(lexical, words);
  if (query.isExact) return search(lexical, query, known);
  const prefixes = await knownPrefixes(lexical, unknown);
  const hits = await search(lexical, query, [...known, ...prefixes]);
  if (hits.length > 0) return hits;
  const allPrefixes = words.filter((word) => word.length >= minPrefixLength).map((word) => `${word}*`);
  const nearHits = await search(lexical, query, allPrefixes);
  if (nearHits.length > 0) return nearHits;
  return search(lexical, query, await knownVariants(lexical, words));
}

function search(lexical: LexicalIndex, query: RecordQuery, words: readonly string[]): Promise<LexicalHit[]> {
  return lexical.search({ ...query, words, weights });
}

async function sortWords(lexical: LexicalIndex, words: readonly string[]) {
  const total = await lexical.estimateDocuments();
  const limit = total < largeIndex ? 1 : Math.ceil(total * frequentShare);
  const rare: string[] = [];
  const frequent: string[] = [];
  const unknown: string[] = [];
  for (const word of words) {
    const count = await lexical.countHolding(word, limit);
    if (count === 0) unknown.push(word);
    else if (count === limit && total >= largeIndex) frequent.push(word);
    else rare.push(word);
  }
  return { known: rare.length > 0 ? rare : frequent, unknown };
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
