import type { Embedder } from "./embedder.js";
import { loadWordTable, type WordTable } from "./word-table.js";

/** What share of a text a word may take up before it counts half. */
const halfShare = 1e-3;

/** The weighted mean of the vectors of a text's words: no model to run, and quick. */
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
  const rowOf = (word: string) => table.rows.get(word);
  for (const word of plainWords(text)) {
    const row = rowOf(word);
    if (row !== undefined) table.addTo(sum, row, weightOf(row, table.rows.size));
  }
  return sum;
}

/** Frequent words say little; how frequent a word is follows from its place, by Zipf's law. */
function weightOf(row: number, words: number): number {
  const share = 1 / ((row + 1) * Math.log(words + 2));
  return halfShare / (halfShare + share);
}

function plainWords(text: string): string[] {
  const spaced = text.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced.match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? [];
}
