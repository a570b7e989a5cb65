import { stem } from "../words/stem.js";
import { silentWords } from "../words/stop-words.js";
import { wordsOf } from "../words/words.js";

/** A text that answers a question, and how well. */
export interface Answer {
  text: string;
  score: number;
}

/** A word that answers share, and its share of them. */
export interface RelatedWord {
  word: string;
  share: number;
}

/** Only the beginning of a long text, which says what it is about. */
const readLength = 600;

/** The words that the best answers to a question are made of, the most telling of the better ones first. */
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
