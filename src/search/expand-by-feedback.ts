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

/** A text that answers a question, and its score. */
export interface Answer {
  text: string;
  score: number;
}

/** A word of the answers, and its share of them. */
interface RelatedWord {
  word: string;
  share: number;
}

/** The beginning of a text says what it is about. */
const readLength = 600;

/** The words of the best answers, the largest shares first. */
function relatedWords(answers: readonly Answer[], limit: number): RelatedWord[] {
  const total = answers.reduce((sum, { score }) => sum + score, 0);
  const related = new Map<string, RelatedWord>();
  for (const { text, score } of answers) {
    const words = wordsOf(text.slice(0, readLength)).filter((word) => !silentWords.has(word));
    for (const word of words) {
      const known = related.get(stem(word)) ?? { word, share: 0 };
      related.set(stem(word), { ...known, share: known.share + score / total / words.length });
    }
  }
  return [...related.values()].sort((one, other) => other.share - one.share).slice(0, limit);
}
