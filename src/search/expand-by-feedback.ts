import { keyOfHit, type LexicalHit, type LexicalIndex, type SearchKind } from "../store/lexical-index.js";
import { stem } from "../words/stem.js";
import { silentWords } from "../words/word-lists.js";
import { wordsOf } from "../words/words.js";

/** At least this many results are re-ranked. */
export const feedbackDepth = 100;

/** The feedback comes from this many top hits, but from no more than a fiftieth of all records. */
const trusted = 3;
const leastShare = 50;
/** Too slow for a larger index. */
const maxDocuments = 10_000;
/** The beginning of a text says what it is about. */
const readLength = 600;
const lookedUpWords = 40;
const relatedLimit = 20;
/** Words of the top hits count less than those of the question. */
const relatedWeight = 0.3;

/**
 * Re-ranks hits by likeness to the top hits (pseudo-relevance feedback): two reports of one problem share more words with
 * each other than with a short question. The emphasis is how often the question's first words count.
 */
export async function expandByFeedback(
  lexical: LexicalIndex,
  { kind, hits, emphasis }: { kind: SearchKind; hits: readonly LexicalHit[]; emphasis: number },
  readTexts: (hits: readonly LexicalHit[]) => Promise<string[]>,
  searchFor: (words: string[]) => Promise<LexicalHit[]>,
): Promise<LexicalHit[]> {
  const total = await lexical.estimateDocuments(kind);
  const best = hits.slice(0, Math.min(trusted, Math.floor(total / leastShare)));
  if (best.length === 0 || total > maxDocuments) return [...hits];
  const related = relatedWords(best, await readTexts(best));
  const counts = await lexical.countHolding(
    kind,
    related.map(({ word }) => word),
    total,
  );
  const words = related
    .map(({ word, share }, place) => ({ word, count: counts[place] ?? 0, share }))
    .filter(({ count }) => count > 0)
    .map(({ word, count, share }) => ({ word, worth: share * Math.log(total / count) }))
    .sort((one, other) => other.worth - one.worth)
    .slice(0, relatedLimit)
    .map(({ word }) => word);
  const scores = new Map((await searchFor(words)).map((hit) => [keyOfHit(hit), hit.score]));
  return hits
    .map((hit) => ({
      ...hit,
      score: hit.score + relatedWeight * emphasis * (scores.get(keyOfHit(hit)) ?? 0),
    }))
    .sort((one, other) => other.score - one.score);
}

/** The words of the best answers, each with its share of them, the largest first. */
function relatedWords(
  hits: readonly LexicalHit[],
  texts: readonly string[],
): { word: string; share: number }[] {
  const total = hits.reduce((sum, { score }) => sum + score, 0);
  const related = new Map<string, { word: string; share: number }>();
  for (const [place, { score }] of hits.entries()) {
    const text = texts[place] ?? "";
    const words = wordsOf(text.slice(0, readLength)).filter((word) => !silentWords.has(word));
    for (const word of words) {
      const known = related.get(stem(word)) ?? { word, share: 0 };
      related.set(stem(word), { ...known, share: known.share + score / total / words.length });
    }
  }
  return [...related.values()].sort((one, other) => other.share - one.share).slice(0, lookedUpWords);
}
