import { withoutComments } from "../text/markdown/without-comments.js";
import { namesIn, questionWords } from "../words/words.js";

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

/** A question says what it is about in its first sentences; what follows is detail, and mostly noise. */
export const tellingLength = 500;

/** The part of a long question or record that carries its meaning: its beginning, without template comments. */
export function shapeQuery(text: string): string {
  const said = withoutTemplate(text);
  return said.slice(0, endOfWord(said, tellingLength));
}

/** A long text without the comments of issue templates, unless there is nothing else. */
function withoutTemplate(text: string): string {
  if (text.length <= tellingLength) return text;
  const said = withoutComments(text).trim();
  return said === "" ? text : said;
}

/** Where to cut a text so that it has at most this many characters and ends with a word. */
function endOfWord(text: string, length: number): number {
  if (text.length <= length) return text.length;
  const end = text.slice(0, length).search(/\s\S*$/);
  return end > length / 2 ? end : length;
}
