import { type LexicalQuery, scoredBeside } from "../../lexical-index.js";
import { tokensOf } from "./words/tokens-of.js";

/** A word as asked: to the index it is one word or several in a row, the last of which may be the beginning of one. */
export interface Term {
  words: readonly string[];
  isPrefix: boolean;
}

/** What a document must hold: one term of each group, or all of the alternative, and any term at all. */
export interface Expression {
  groups: readonly (readonly Term[])[];
  alternative: readonly Term[];
  any: readonly Term[];
}

export function expressionOf({
  words,
  required = { groups: [] },
  order,
}: Pick<LexicalQuery, "words" | "required" | "order">): Expression {
  const { groups, alternative = [] } = required;
  const isRequired = groups.length > 0;
  const known = new Map<string, Term>();
  const termsOf = (texts: readonly string[]) => texts.map((text) => termOf(text, known));
  const needed = { groups: groups.map(termsOf), alternative: isRequired ? termsOf(alternative) : [] };
  // What is not scored needs no other words.
  if (isRequired && order !== undefined)
    return { ...needed, any: [...needed.groups.flat(), ...needed.alternative] };
  return { ...needed, any: termsOf(isRequired ? scoredBeside(words, required) : words) };
}

/** Equal terms are one object. */
function termOf(text: string, known: Map<string, Term>): Term {
  const isPrefix = text.endsWith("*");
  const words = tokensOf(isPrefix ? text.slice(0, -1) : text);
  const key = `${words.join(" ")}${isPrefix ? "*" : ""}`;
  const term = known.get(key) ?? { words, isPrefix };
  known.set(key, term);
  return term;
}

/** Nothing holds a term without words. */
export function isEmpty({ words }: Term): boolean {
  return words.length === 0;
}

export function isPhrase({ words }: Term): boolean {
  return words.length > 1;
}
