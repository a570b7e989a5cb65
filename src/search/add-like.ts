import { keyOfHit, type LexicalHit, type LexicalIndex, type SearchKind } from "../store/lexical-index.js";
import { relatedWords } from "./related-words.js";

/** So many results are compared, however few are wanted. */
export const searchedForLike = 100;

/** So many of the best results are taken at their word, but never more than a fiftieth of all there are. */
const trusted = 3;
const leastShare = 50;
/** In a larger index this would take longer than anybody likes to wait. */
const maxDocuments = 10_000;
const lookedUpWords = 40;
const relatedLimit = 20;
/** What the records say that were found counts less than what was asked. */
const relatedWeight = 0.3;

/**
 * Results, of which those move up that say what the best of them say: two reports of one problem share more words with each
 * other than with a short question. The emphasis is how often the question's words counted.
 */
export async function addLike(
  lexical: LexicalIndex,
  { kind, hits, emphasis }: { kind: SearchKind; hits: readonly LexicalHit[]; emphasis: number },
  readTexts: (hits: readonly LexicalHit[]) => Promise<string[]>,
  searchFor: (words: string[]) => Promise<LexicalHit[]>,
): Promise<LexicalHit[]> {
  const total = await lexical.estimateDocuments(kind);
  const best = hits.slice(0, Math.min(trusted, Math.floor(total / leastShare)));
  if (best.length === 0 || total > maxDocuments) return [...hits];
  const texts = await readTexts(best);
  const answers = best.map(({ score }, index) => ({ score, text: texts[index] ?? "" }));
  const telling: { word: string; worth: number }[] = [];
  const related = relatedWords(answers, lookedUpWords);
  const counts = await lexical.countHolding(
    kind,
    related.map(({ word }) => word),
    total,
  );
  for (const [place, { word, share }] of related.entries()) {
    const count = counts[place] ?? 0;
    if (count > 0) telling.push({ word, worth: share * Math.log(total / count) });
  }
  const words = telling.sort((one, other) => other.worth - one.worth).slice(0, relatedLimit);
  const like = await searchFor(words.map(({ word }) => word));
  return withSharesOf(hits, like, relatedWeight * emphasis);
}

function withSharesOf(hits: readonly LexicalHit[], like: readonly LexicalHit[], share: number): LexicalHit[] {
  const scores = new Map(like.map((hit) => [keyOfHit(hit), hit.score]));
  return hits
    .map((hit) => ({ ...hit, score: hit.score + share * (scores.get(keyOfHit(hit)) ?? 0) }))
    .sort((one, other) => other.score - one.score);
}
