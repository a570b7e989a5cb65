import { withoutComments } from "../text/without-comments.js";
import { isName, questionWords, wordsOf } from "../words/words.js";

/** One word of a question. */
export interface AskedWord {
  word: string;
  /** How much it tells: what a long question says first counts double. */
  weight: number;
  /** An identifier, an error code or a path as a whole, which nothing else is called. */
  isName: boolean;
}

/** A question says what it is about in its first sentence, and explains it in the next ones; the rest is detail. */
const headLength = 150;
const tellingLength = 500;
/** Names are looked for further down as well: an error code stands at the end of a log. */
const namedLength = 4000;
const maxWords = 64;
const maxNames = 16;
/** A long log repeats its names. */
const maxTokens = 1000;

/** The words of a question that say what is looked for, without comments of templates. */
export function askedWords(text: string): AskedWord[] {
  const said = whatIsSaid(text);
  const [head, telling, rest] = cut(said);
  const early = questionWords(head);
  const late = questionWords(telling).filter((word) => !early.includes(word));
  const weight = late.length > 0 ? 2 : 1;
  const names = new Set(namesIn(said.slice(0, namedLength)));
  const words = [
    ...early.map((word) => ({ word, weight, isName: names.has(word) })),
    ...late.map((word) => ({ word, weight: 1, isName: names.has(word) })),
  ].slice(0, maxWords);
  const known = new Set(words.map(({ word }) => word));
  const further = rest === "" ? [] : [...names].filter((name) => !known.has(name)).slice(0, maxNames);
  return [...words, ...further.map((word) => ({ word, weight: 0, isName: true }))];
}

function whatIsSaid(text: string): string {
  if (text.length <= tellingLength) return text;
  const said = withoutComments(text).trim();
  return said === "" ? text : said;
}

/** The beginning of a text, what explains it, and the rest, divided between words. */
function cut(text: string): [string, string, string] {
  const head = endOfWord(text, headLength);
  const telling = endOfWord(text, tellingLength);
  return [text.slice(0, head), text.slice(head, telling), text.slice(telling)];
}

function endOfWord(text: string, length: number): number {
  if (text.length <= length) return text.length;
  const end = text.slice(0, length).search(/\s\S*$/);
  return end > length / 2 ? end : length;
}

function namesIn(text: string): string[] {
  return (text.match(/[\w$@#./\\:+-]+/g) ?? [])
    .map((token) => token.replace(/^\W+|\W+$/g, ""))
    .filter(isName)
    .slice(0, maxTokens)
    .flatMap((token) => wordsOf(token)[0] ?? []);
}
