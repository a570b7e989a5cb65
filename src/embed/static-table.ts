import type { Embedder } from "./embedder.js";
import { loadWordTable, type WordTable } from "./word-table.js";

/** Word frequency at which a word's weight is one half. */
const halfWeightFrequency = 1e-3;

/** The weighted sum of the vectors of a text's words: fast, and needs no model. */
export function openStaticTable({ name, path }: { name: string; path: string }): Embedder {
  const table = loadWordTable(path);
  return {
    model: name,
    dimensions: table.dimensions,
    embed: async (texts) => texts.map((text) => embedWords(text, table)),
  };
}

function embedWords(text: string, table: WordTable): Float32Array {
  const sum = new Float32Array(table.dimensions);
  for (const word of plainWords(text)) {
    const row = table.rows.get(word);
    if (row !== undefined) table.addTo(sum, row, weightOf(row, table.rows.size));
  }
  return sum;
}

/** Frequent words weigh less; a word's frequency is estimated from its rank by Zipf's law. */
function weightOf(row: number, words: number): number {
  const frequency = 1 / ((row + 1) * Math.log(words + 2));
  return halfWeightFrequency / (halfWeightFrequency + frequency);
}

function plainWords(text: string): string[] {
  const spaced = text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced.match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? [];
}
