import { stem } from "../words/stem.js";
import { silentWords } from "../words/stop-words.js";
import { wordsOf } from "../words/words.js";

/** A text that answers a question, and its score. */
export interface Answer {
  text: string;
  score: number;
}

/** A word of the answers, and its share of them. */
export interface RelatedWord {
  word: string;
  share: number;
}

/** The beginning of a text says what it is about. */
const readLength = 600;

/** The words of the best answers, the largest shares first. */
export function relatedWords(answers: readonly Answer[], limit: number): RelatedWord[] {
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
