import {
  keyOfHit,
  type LexicalHit,
  type LexicalIndex,
  largeIndexFrom,
  type SearchKind,
} from "../../store/lexical-index.js";
import { unique } from "../../text/unique.js";
import { wordsOf } from "../../words/words.js";
import { rareAtMost } from "../count-words.js";
import { rankMatches } from "../rank-matches.js";
import { type RecordQuery, searchRecords, weights } from "../search-records.js";
import { fuse, type MeaningHit } from "./fuse.js";
import type { QuantisedVector, VectorMatrix } from "./vector-matrix.js";

/** A question's vector, the vectors to compare it with, and their weight. */
interface QuestionMeaning {
  matrix: VectorMatrix;
  vector: QuantisedVector;
  weight: number;
}

/** Word hits that are compared by vector. */
const comparedHits = 200;
/** Limit for hits that share no word with the question. */
const maxByMeaning = 20;
/** Similarity above the mean from which a record counts as near. */
const leastSimilarity = 0.1;
/** Sentence models are weaker on long questions, where words suffice. */
const shortQuestion = 8;
const longestVerbatim = 8;

/** Finds records by words and by meaning together. */
export async function searchHybrid(
  lexical: LexicalIndex,
  query: RecordQuery,
  { matrix, vector, weight }: QuestionMeaning,
): Promise<LexicalHit[]> {
  const depth = query.limit === -1 ? -1 : Math.max(query.limit, comparedHits);
  const hits = await searchRecords(lexical, { enough: query.limit, ...query, limit: depth });
  const { text } = query.question;
  const words = query.question.words.filter(({ weight: times }) => times > 0).map(({ word }) => word);
  const names = query.question.words.filter(({ isName }) => isName).map(({ word }) => word);
  const ideal = await idealScore(lexical, query.kind, words);
  const similarities = aboveMean(matrix.compare(vector));
  const exact = await holding(lexical, query, names);
  const verbatim = await holding(lexical, query, verbatimPhrase(text));
  const found = new Map(hits.map((hit) => [keyOfHit(hit), hit]));
  const byWords = [...found].map(([key, { id, source, score }]) => {
    const place = matrix.find(id, source);
    return {
      key,
      coverage: score / ideal,
      similarity: place === undefined ? undefined : similarities[place],
      isExact: exact.has(key),
      isVerbatim: verbatim.has(key),
    };
  });
  const near = await findNear(lexical, query, { matrix, similarities, found });
  const fused = fuse({
    byWords,
    byMeaning: near.map(({ key, similarity }) => ({ key, similarity })),
    weight: weight * Math.min(1, shortQuestion / Math.max(1, words.length)) ** 3,
  });
  const all = new Map<string, Omit<LexicalHit, "score">>([
    ...found,
    ...near.map((hit) => [hit.key, hit] as const),
  ]);
  return fused.slice(0, query.limit === -1 ? undefined : query.limit).flatMap(({ key, score }) => {
    const hit = all.get(key);
    return hit === undefined ? [] : { id: hit.id, source: hit.source, score };
  });
}

/** The usual cosine of two unrelated texts, counted as this many records: the mean of a few records says little. */
const usualCosine = 0.2;
const usualRecords = 3;

/** Cosines above the mean of all: 0 is like any other record, 1 is identical. */
export function aboveMean(cosines: Float32Array): Float32Array {
  const start = usualCosine * usualRecords;
  const mean = cosines.reduce((sum, cosine) => sum + cosine, start) / (cosines.length + usualRecords);
  return cosines.map((cosine) => Math.max(0, (cosine - mean) / Math.max(1e-6, 1 - mean)));
}

/** The records that hold one of these words or phrases. */
async function holding(
  lexical: LexicalIndex,
  query: RecordQuery,
  words: readonly string[],
): Promise<ReadonlySet<string>> {
  if (words.length === 0) return new Set();
  const limit = query.limit === -1 ? -1 : Math.max(query.limit, comparedHits);
  return new Set((await rankMatches(lexical, { ...query, words, weights, limit })).map(keyOfHit));
}

/** A short question as one phrase. */
function verbatimPhrase(text: string): string[] {
  const words = wordsOf(text);
  return words.length >= 2 && words.length <= longestVerbatim ? [words.join(" ")] : [];
}

interface Nearness {
  matrix: VectorMatrix;
  similarities: Float32Array;
  found: ReadonlyMap<string, LexicalHit>;
}

type NearHit = MeaningHit & { id: string; source: string };

const keysPerLook = 500;
const maxLooks = 10;

/** The nearest records that the question may show and that its words did not find. */
async function findNear(
  lexical: LexicalIndex,
  query: RecordQuery,
  { matrix, similarities, found }: Nearness,
): Promise<NearHit[]> {
  const near: NearHit[] = [];
  const places = nearestPlaces(similarities, keysPerLook * maxLooks);
  for (let start = 0; start < places.length && near.length < maxByMeaning; start += keysPerLook) {
    const keys = places.slice(start, start + keysPerLook).map((place) => {
      const { id, source } = matrix.keyAt(place);
      return { key: keyOfHit({ id, source }), id, source, similarity: similarities[place] ?? 0 };
    });
    const unseen = keys.filter(({ key }) => !found.has(key));
    const allowed = await lexical.keepAllowed(query, unique(unseen.map(({ id }) => id)));
    const names = new Set(allowed.map(keyOfHit));
    near.push(...unseen.filter(({ key }) => names.has(key)));
  }
  return near.slice(0, maxByMeaning);
}

/** The places of the highest similarities, best first. */
function nearestPlaces(similarities: Float32Array, count: number): number[] {
  return [...similarities.keys()]
    .filter((place) => (similarities[place] ?? 0) >= leastSimilarity)
    .sort((one, other) => (similarities[other] ?? 0) - (similarities[one] ?? 0))
    .slice(0, count);
}

/** Expected BM25 score per unit of idf. */
const usualScore = 1.5;
/** Large index: words in more records than this share are ignored, rare ones count twice. */
const frequentShare = 0.05;

/** The least idf in BM25, for words in half of the records or more. */
const leastWeight = 1e-6;

/** The approximate BM25 score of a record that holds all of these words. */
async function idealScore(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly string[],
): Promise<number> {
  const total = Math.max(1, await lexical.estimateDocuments(kind));
  const isLarge = total >= largeIndexFrom;
  const limit = isLarge ? Math.max(rareAtMost + 1, Math.ceil(total * frequentShare)) : total;
  const timesOf = (holding: number) => (isLarge && holding <= rareAtMost ? 2 : 1);
  const weights = (await lexical.countHolding(kind, words, limit)).map((holding) => ({
    weight: timesOf(holding) * Math.max(leastWeight, Math.log((total - holding + 0.5) / (holding + 0.5))),
    isFrequent: isLarge && holding >= limit,
  }));
  const rare = weights.filter(({ isFrequent }) => !isFrequent);
  const counted = rare.length > 0 ? rare : weights;
  return (
    Math.max(
      leastWeight,
      counted.reduce((sum, { weight }) => sum + weight, 0),
    ) * usualScore
  );
}
