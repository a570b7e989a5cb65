import { wordsOf } from "./words.js";

/** Marks that join the parts of an identifier, a path or a version: `user_store`, `src/login.ts`, `3.12.1`. */
const marks = "_$@#./\\\\:+-";
const token = new RegExp(`[\\w${marks}]+`, "g");
const joint = new RegExp(`[^\\s${marks}][${marks}]+[^\\s${marks}]`);

const name =
  /[a-z][A-Z]|[A-Za-z]_+[A-Za-z]|[A-Za-z]-?\d|\d[A-Za-z]|\w[/\\]\w|\w\.[a-z]{1,4}$|\w::\w|^E[A-Z]{3,}$|^SIG[A-Z]{3,}$/;

/** Plain words and numbers, which most tokens are: this pattern is compiled sooner than the other one. */
const noName = /^(?:[A-Za-z]?[a-z]*|\d+)$/;

/** Enough: a long log repeats its names. */
const maxNames = 1000;

/** Whether a token is an identifier, a path or an error code, and not a plain word or a number. */
export function isName(text: string): boolean {
  return !noName.test(text) && name.test(text);
}

/** Whether a token has parts joined by marks. */
export function hasParts(text: string): boolean {
  return joint.test(text);
}

/** The names in a text, each as the single word that the index has for it. */
export function namesIn(text: string): string[] {
  const names = (text.match(token) ?? [])
    .map((each) => each.replace(/^\W+|\W+$/g, ""))
    .filter(isName)
    .slice(0, maxNames);
  return [...new Set(names.flatMap((each) => wordsOf(each)[0] ?? []))];
}
