import { stem, withoutAccents } from "../../../words/stem.js";
import type { FieldWeights, SearchDocument } from "../../lexical-index.js";
import { storableText } from "../../stored-text.js";

/**
 * PostgreSQL knows four weights of words, from A to D. Only notes have dates, and they are not indexed here, so the date shares
 * the label of the body, and so do errors, which count as much.
 */
const labels: readonly (readonly [label: string, fields: readonly (keyof FieldWeights)[]])[] = [
  ["A", ["title"]],
  ["B", ["tags"]],
  ["C", ["files"]],
  ["D", ["body", "errors", "dates"]],
];

/** The weight of each label, from A to D. */
export function labelWeights(weights: FieldWeights): number[] {
  return labels.map(([, [field = "body"]]) => weights[field] ?? 0);
}

/** An index entry must be shorter than 2 KB, and the words of a document than 1 MB. */
const mostLetters = 200;
const mostWords = 20_000;

/** The stems of a text, in order. */
function stemsOf(text: string): string[] {
  const words =
    withoutAccents(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.map((word) => stem(word).slice(0, mostLetters).toWellFormed());
}

/** The words of a document as a `tsvector`, and how many there are. */
export function vectorOf(document: SearchDocument): { vector: string; length: number } {
  const places = new Map<string, string[]>();
  let length = 0;
  for (const [field, [label, names]] of labels.entries())
    for (const name of names) {
      const text = name === "body" ? `${document.body} ${document.kept ?? ""}` : (document[name] ?? "");
      for (const word of stemsOf(storableText(text)).slice(0, mostWords)) {
        length += 1;
        // A gap between fields, so that no phrase reaches from one into the next.
        const place = `${length + field}${label}`;
        const known = places.get(word);
        if (known === undefined) places.set(word, [place]);
        else known.push(place);
      }
    }
  return { vector: [...places].map(([word, at]) => `'${word}':${at.join(",")}`).join(" "), length };
}

/** A word of a query. */
export interface Term {
  /** As a `tsquery`. */
  query: string;
  /** Usually one; several if the word is split, as "a-b" is. */
  stems: readonly string[];
  /** Whether the last stem is the beginning of a word. */
  isPrefix: boolean;
}

/** Undefined for a text without words, which nothing matches. */
export function termOf(text: string): Term | undefined {
  const isPrefix = text.endsWith("*");
  const stems = stemsOf(text);
  if (stems.length === 0) return undefined;
  const query = stems.map((stem) => `'${stem}'`).join(" <-> ");
  return { query: isPrefix ? `${query}:*` : query, stems, isPrefix };
}

/** How often a document holds each of its words, each time counted with the weight of its field. */
export function frequenciesIn(vector: string, weights: readonly number[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const [, word = "", places = ""] of vector.matchAll(/'([^']+)':(\S+)/g)) {
    let sum = 0;
    for (const place of places.split(",")) {
      const label = "ABC".indexOf(place.at(-1) ?? "");
      // PostgreSQL leaves out the label D.
      sum += weights[label === -1 ? 3 : label] ?? 0;
    }
    frequencies.set(word, sum);
  }
  return frequencies;
}
