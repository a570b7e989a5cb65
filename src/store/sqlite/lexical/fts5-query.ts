import { type LexicalQuery, type SearchKind, scoredBeside } from "../../lexical-index.js";

export const fields = ["title", "body", "tags", "files", "errors", "dates"] as const;

/** One table per kind: how rare a word is depends on the kind, and a search reads only its own kind. */
export function tableOf(kind: SearchKind): string {
  return `search_text_${kind}`;
}

/** The weights of the fields, as FTS5 expects them. */
export function rankingOf({ weights }: LexicalQuery): string {
  return `bm25(${fields.map((field) => weights[field] ?? 0).join(", ")})`;
}

/** Any of the words; required ones appear twice, and so score twice, unless nothing is scored. */
export function matchOf({ words, required = { groups: [] }, order }: LexicalQuery): string {
  const { groups, alternative = [] } = required;
  if (groups.length === 0) return anyOf(words);
  const eachGroup = groups.map((group) => `(${anyOf(group)})`).join(" AND ");
  const together = alternative.map((word) => anyOf([word])).join(" AND ");
  const needed = together === "" ? eachGroup : `(${eachGroup}) OR (${together})`;
  if (order !== undefined) return needed;
  return `(${needed}) AND (${anyOf(scoredBeside(words, required))})`;
}

export function anyOf(words: readonly string[]): string {
  return words
    .map((word) => (isPrefix(word) ? `"${quoted(word.slice(0, -1))}" *` : `"${quoted(word)}"`))
    .join(" OR ");
}

/** Whether a word stands for all that begin with it. */
export function isPrefix(word: string): boolean {
  return word.endsWith("*");
}

function quoted(word: string): string {
  return word.replaceAll('"', '""');
}
