import type { FieldWeights, SearchDocument } from "../../../lexical-index.js";
import { tokensOf } from "./tokens-of.js";

/** In the order in which the index counts them. */
export const fields = ["title", "body", "tags", "files", "errors", "dates"] as const;

/** A count is the number of a field and how often it holds a word, up to this; what is more is a count of its own. */
const mostAtOnce = 4_095;
const bitsOfCount = 12;

/** What the index keeps of a document. */
export interface CountedDocument {
  /** The words in order: a line per field, each word between spaces. */
  lines: string;
  length: number;
  /** The counts of each word. */
  counts: ReadonlyMap<string, number[]>;
}

export function countWordsOf(document: SearchDocument): CountedDocument {
  const counts = new Map<string, number[]>();
  const lines: string[] = [];
  let length = 0;
  for (const [field, name] of fields.entries()) {
    const text = name === "body" ? `${document.body} ${document.kept ?? ""}` : (document[name] ?? "");
    const words = tokensOf(text);
    lines.push(words.length === 0 ? "" : ` ${words.join(" ")} `);
    length += words.length;
    for (const word of words) addOne(counts, word, field);
  }
  return { lines: lines.join("\n"), length, counts };
}

function addOne(counts: Map<string, number[]>, word: string, field: number): void {
  const first = (field << bitsOfCount) + 1;
  const known = counts.get(word);
  if (known === undefined) {
    counts.set(word, [first]);
    return;
  }
  const last = known.at(-1) ?? 0;
  const isGrowing = fieldOf(last) === field && timesOf(last) < mostAtOnce;
  if (isGrowing) known[known.length - 1] = last + 1;
  else known.push(first);
}

function fieldOf(count: number): number {
  return count >> bitsOfCount;
}

function timesOf(count: number): number {
  return count & mostAtOnce;
}

/** How much a count adds to the frequency of its word. */
export function weigh(count: number, weights: readonly number[]): number {
  return (weights[fieldOf(count)] ?? 0) * timesOf(count);
}

/** By the number of the field. */
export function weightsByField(weights: FieldWeights): number[] {
  return fields.map((field) => weights[field] ?? 0);
}
