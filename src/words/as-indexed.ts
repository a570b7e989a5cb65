import { isAscii } from "../text/is-ascii.js";
import { stem } from "./stem.js";

/** A word as stored in the full-text index. */
export function asIndexed(word: string): string {
  return stem(withoutAccents(word));
}

/** FTS5 removes accents from Latin letters only: "й" and "и" stay distinct. */
const accents = /(?<=[A-Za-z])[\u0300-\u036f]+/g;

export function withoutAccents(text: string): string {
  if (isAscii(text)) return text;
  return text.normalize("NFKD").replace(accents, "").normalize("NFKC").replaceAll("ς", "σ");
}
