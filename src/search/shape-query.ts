import { withoutComments } from "../text/markdown/without-comments.js";

/** A question says what it is about in its first sentences; what follows is detail, and mostly noise. */
export const tellingLength = 500;

/** The part of a long question or record that carries its meaning: its beginning, without template comments. */
export function shapeQuery(text: string): string {
  const said = withoutTemplate(text);
  return said.slice(0, endOfWord(said, tellingLength));
}

/** A long text without the comments of issue templates, unless there is nothing else. */
export function withoutTemplate(text: string): string {
  if (text.length <= tellingLength) return text;
  const said = withoutComments(text).trim();
  return said === "" ? text : said;
}

/** Where to cut a text so that it has at most this many characters and ends with a word. */
export function endOfWord(text: string, length: number): number {
  if (text.length <= length) return text.length;
  const end = text.slice(0, length).search(/\s\S*$/);
  return end > length / 2 ? end : length;
}
