/** A record found by words. */
export interface WordHit {
  key: string;
  /** Its score as a share of the ideal: 1 holds every word of the question. */
  coverage: number;
  /** Undefined while the record has no vector. */
  similarity: number | undefined;
  /** Holds an identifier or an error code of the question. */
  isExact: boolean;
  /** Holds the whole question, word for word. */
  isVerbatim: boolean;
}

/** A record found by its vector alone. */
export interface MeaningHit {
  key: string;
  similarity: number;
}

interface Fusion {
  /** Best first. */
  byWords: readonly WordHit[];
  byMeaning: readonly MeaningHit[];
  /** The weight of vectors beside words that cover the question, from 0 to 1. */
  weight: number;
}

interface FusedHit {
  key: string;
  score: number;
}

const verbatimBonus = 0.3;
/** A few shared words say less than their share of the question. */
const coveragePower = 1.5;

/**
 * Orders by the weighted sum of both scores. Sums keep how much better one is than the next, which ranks forget: a weak
 * embedder then cannot push down what words found for certain. Exact hits stay where words put them, or rise.
 */
export function fuse({ byWords, byMeaning, weight: usualWeight }: Fusion): FusedHit[] {
  const hits = levelTies(byWords);
  const weight = Math.min(1, usualWeight * doubt(hits) * knownShare(hits));
  const usual = meanSimilarity(hits);
  const sum = (strength: number, similarity: number) => (1 - weight) * strength + weight * similarity;
  const strengthOf = ({ coverage, isVerbatim }: WordHit) =>
    coverage ** coveragePower + (isVerbatim ? verbatimBonus : 0);
  const fused = [
    ...hits.map((hit) => ({ key: hit.key, score: sum(strengthOf(hit), hit.similarity ?? usual) })),
    ...byMeaning.map(({ key, similarity }) => ({ key, score: sum(0, similarity) })),
  ];
  // Sorting is stable: what scores the same stays in the order of the words, newest first.
  fused.sort((one, other) => other.score - one.score);
  return keepExact(fused, hits);
}

/**
 * Neighbours that hold the same words and mean nearly the same are often an old statement and the one that replaced it. All
 * get the best similarity among them, so that they stay in their order: newest first.
 */
function levelTies(hits: readonly WordHit[]): WordHit[] {
  const groups: WordHit[][] = [];
  for (const hit of hits) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group !== undefined && first !== undefined && isTie(first, hit)) group.push(hit);
    else groups.push([hit]);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return group;
    const similarity = Math.max(...group.map((hit) => hit.similarity ?? 0));
    return group.map((hit) => ({ ...hit, coverage: first.coverage, similarity }));
  });
}

const tiedCoverage = 0.005;
const tiedSimilarity = 0.15;

function isTie(first: WordHit, hit: WordHit): boolean {
  if (first.similarity === undefined || hit.similarity === undefined) return false;
  return (
    first.isVerbatim === hit.isVerbatim &&
    first.coverage - hit.coverage <= tiedCoverage * first.coverage &&
    Math.abs(first.similarity - hit.similarity) <= tiedSimilarity
  );
}

/** From this coverage on words are trusted. */
const believedCoverage = 0.5;
const mostDoubt = 3;

/** How much more vectors count where words cover little: from 1 to three times as much. */
function doubt(hits: readonly WordHit[]): number {
  const best = Math.max(0, ...hits.map(({ coverage }) => coverage));
  return mostDoubt - (mostDoubt - 1) * Math.min(1, best / believedCoverage);
}

/** Vectors count less where some of the best hits have none, as long texts do. */
function knownShare(hits: readonly WordHit[]): number {
  const best = hits.slice(0, judgedHits);
  return best.length === 0
    ? 1
    : best.filter(({ similarity }) => similarity !== undefined).length / best.length;
}

const judgedHits = 10;

/** Stands in for a missing vector, so that a record is neither favoured nor held back. */
function meanSimilarity(hits: readonly WordHit[]): number {
  const known = hits.slice(0, judgedHits).flatMap(({ similarity }) => similarity ?? []);
  return known.length === 0 ? 0 : known.reduce((total, similarity) => total + similarity, 0) / known.length;
}

/** Puts each exact hit at least as high as words alone had put it. */
function keepExact(fused: readonly FusedHit[], byWords: readonly WordHit[]): FusedHit[] {
  const due = new Map(byWords.flatMap(({ key, isExact }, place) => (isExact ? [[place, key] as const] : [])));
  if (due.size === 0) return [...fused];
  const left = new Map(fused.map((hit) => [hit.key, hit]));
  return fused.flatMap((_hit, place) => {
    const [best] = left.values();
    const hit = left.get(due.get(place) ?? "") ?? best;
    if (hit === undefined) return [];
    left.delete(hit.key);
    return [hit];
  });
}
