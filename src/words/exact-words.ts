import { errorCodes } from "./error-codes.js";
import { wordsOf } from "./words.js";

const identifier = /[A-Za-z0-9$]+(?:[_$@#./\\:+-]+[A-Za-z0-9]+)*/g;
const compound =
  /[a-z][A-Z]|[A-Za-z]_|_[A-Za-z]|[A-Za-z0-9][/\\][A-Za-z0-9]|[A-Za-z]\.[a-z]|[A-Za-z]\d|\d[A-Za-z]/;

/** The words of a question that can only be meant literally: identifiers, paths, error codes. */
export function exactWords(text: string): string[] {
  const names = (text.match(identifier) ?? []).filter((name) => compound.test(name));
  const words = [...names, ...errorCodes(text)].flatMap((name) => wordsOf(name)[0] ?? []);
  return [...new Set(words)];
}
