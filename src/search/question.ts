import { namesIn } from "../words/names.js";
import { questionWords } from "../words/words.js";
import { endOfWord, tellingLength, withoutTemplate } from "./shape-query.js";

/** One word of a question. */
export interface QuestionWord {
  word: string;
  /** 2 for what a long question says first, 1 for the rest, 0 for a name far down: it counts only if rare. */
  weight: number;
  /** An identifier, a path or an error code as a whole. */
  isName: boolean;
}

/** What is asked, parsed once: records are searched and scored by the same words. */
export interface Question {
  text: string;
  words: readonly QuestionWord[];
}

/** The first sentence says what a question is about. */
const headLength = 150;
/** Names are looked for further down as well: an error code may be at the end of a log. */
const namedLength = 4000;
const maxWords = 64;
const maxFurtherNames = 16;

export function parseQuestion(text: string): Question {
  const said = withoutTemplate(text);
  const headEnd = endOfWord(said, headLength);
  const tellingEnd = endOfWord(said, tellingLength);
  const early = questionWords(said.slice(0, headEnd));
  const late = questionWords(said.slice(headEnd, tellingEnd)).filter((word) => !early.includes(word));
  const weight = late.length > 0 ? 2 : 1;
  const names = new Set(namesIn(said.slice(0, namedLength)));
  const words = [
    ...early.map((word) => ({ word, weight, isName: names.has(word) })),
    ...late.map((word) => ({ word, weight: 1, isName: names.has(word) })),
  ].slice(0, maxWords);
  const known = new Set(words.map(({ word }) => word));
  const further =
    tellingEnd === said.length ? [] : [...names].filter((name) => !known.has(name)).slice(0, maxFurtherNames);
  return { text, words: [...words, ...further.map((word) => ({ word, weight: 0, isName: true }))] };
}
