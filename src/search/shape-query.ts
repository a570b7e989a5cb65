import { withoutComments } from "../text/without-comments.js";

/** A question says what it is about in its first sentences; what follows is detail, and mostly noise. */
const tellingLength = 500;

/** The part of a long question that carries its meaning: without comments of templates, and only its beginning. */
export function shapeQuery(text: string): string {
  if (text.length <= tellingLength) return text;
  const said = withoutComments(text).replace(/\r/g, "").trim();
  if (said.length <= tellingLength) return said === "" ? text.slice(0, tellingLength) : said;
  const start = said.slice(0, tellingLength);
  return start.slice(0, Math.max(start.lastIndexOf(" "), tellingLength / 2));
}
