import type { LexicalHit, LexicalIndex, LexicalMatch, LexicalQuery } from "../store/lexical-index.js";

/** Notes written close together are often about the same thing: a hit adds part of its score to its neighbours. */
export interface Neighbours {
  /** How many on either side. */
  count: number;
  /** Milliseconds; notes further apart belong to something else. */
  within: number;
  /** The share of its score that a hit adds to neighbours that are hits as well. */
  share: number;
  /** Documents up to this many words get the whole share, longer ones less. */
  upTo: number;
}

export interface RankedQuery extends Omit<LexicalQuery, "context"> {
  neighbours?: Neighbours | undefined;
}

/** Extra matches that are read in case they tie with the last one. */
const tiedMatches = 20;
/** At least this many matches are read where neighbours count. */
const leastWithNeighbours = 100;

/** The hits of a query, best first, the newer of equal ones first: what every driver's matches have in common. */
export async function rankMatches(
  lexical: LexicalIndex,
  { neighbours, ...query }: RankedQuery,
): Promise<LexicalHit[]> {
  const { limit } = query;
  if (query.order !== undefined) return toHits(await lexical.search(query), limit);
  const withoutNeighbours = async () => {
    const spare = limit === -1 ? 0 : tiedMatches;
    const matches = await lexical.search({ ...query, limit: limit + spare });
    return toHits(matches.sort(bestThenNewest), limit);
  };
  if (neighbours === undefined) return withoutNeighbours();
  const read = limit === -1 ? -1 : Math.max(leastWithNeighbours, limit * 4 + 40);
  const first = limit === -1 || isFiltered(query) ? read : limit + tiedMatches;
  const matches = await lexical.search({
    ...query,
    context: { first, distance: neighbours.count },
    limit: read,
  });
  spreadScores(matches, neighbours);
  const hits = matches.filter(({ isAllowed }) => isAllowed).sort(bestThenNewest);
  const areAll = limit === -1 || matches.length < first;
  return areAll || hits.length >= limit ? toHits(hits, limit) : withoutNeighbours();
}

/** Whether many of the best matches may be outside the scope. */
function isFiltered({ labelGroups, since }: RankedQuery): boolean {
  return labelGroups.length > 0 || since !== undefined;
}

/**
 * Each of two neighbours gains a share of the other's own score. Long documents gain less: their own words say what they are
 * about. Documents are numbered in the order of indexing, so that neighbours have adjacent numbers.
 */
function spreadScores(matches: readonly LexicalMatch[], { count, within, share, upTo }: Neighbours): void {
  const shareOf = ({ length = 0 }: LexicalMatch) => share * Math.min(1, upTo / Math.max(1, length));
  const byNumber = new Map(matches.map((match) => [match.documentNumber, match]));
  const own = new Map(matches.map((match) => [match, match.score]));
  for (const [match, score] of own) {
    for (let distance = 1; distance <= count; distance += 1) {
      const next = byNumber.get(match.documentNumber + distance);
      if (next === undefined || next.source !== match.source) continue;
      if (Math.abs(next.time - match.time) > within) continue;
      match.score += shareOf(match) * (own.get(next) ?? 0);
      next.score += shareOf(next) * score;
    }
  }
}

/** Scores that differ by a smaller share than this are equal but for rounding. */
const scoreStep = 1e-9;

function bestThenNewest(one: LexicalMatch, other: LexicalMatch): number {
  if (Math.abs(one.score - other.score) > scoreStep * Math.max(one.score, other.score))
    return other.score - one.score;
  return other.time - one.time || other.documentNumber - one.documentNumber;
}

function toHits(matches: readonly LexicalMatch[], limit: number): LexicalHit[] {
  return (limit === -1 ? matches : matches.slice(0, limit)).map(({ id, source, score }) => ({
    id,
    source,
    score,
  }));
}
