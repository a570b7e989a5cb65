import { RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import { maxGivenBytes, readRegularFile } from "../files/read-regular-file.js";
import type { Embedder } from "./embedder.js";

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

/** Word vectors, the most frequent word first. */
interface WordTable {
  dimensions: number;
  /** The row of each word. */
  rows: ReadonlyMap<string, number>;
  /** Adds a row, times a weight, to a sum. */
  addTo(sum: Float32Array, row: number, weight: number): void;
}

/** Vector files may have millions of words; the rare ones help little and are slow to read. */
const maxTextWords = 200_000;

/**
 * Reads a table of word vectors in one of two formats, both with the most frequent word first.
 *
 * Compact: a JSON line `{"format":"word-vectors","dimensions":64,"words":20000}`, a line with all words separated by
 * spaces, one scale per word (32-bit float, little endian), then one signed byte per dimension and word.
 *
 * Text, as written by word2vec, GloVe and fastText: a word and its numbers on each line, after an optional first line
 * with the number of words and dimensions.
 */
function loadWordTable(path: string): WordTable {
  const bytes = readTable(path);
  const table = bytes[0] === 0x7b ? parseCompact(bytes) : parseText(bytes.toString("utf8"));
  if (table !== undefined) return table;
  throw new RalphError("file-unusable", `Not a word vector file: ${path}`, {
    hint: "docs/formats.md describes the two formats",
  });
}

function readTable(path: string): Buffer {
  try {
    return readRegularFile(path, { maxBytes: maxGivenBytes });
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    throw new RalphError("file-unusable", `Cannot read the word vector file: ${path}`, {
      hint: "set embedder.path to a word vector file",
      cause: error,
    });
  }
}

function parseCompact(bytes: Buffer): WordTable | undefined {
  const headerEnd = bytes.indexOf(10);
  const wordsEnd = bytes.indexOf(10, headerEnd + 1);
  if (headerEnd === -1 || wordsEnd === -1) return undefined;
  const header = parseHeader(bytes.toString("utf8", 0, headerEnd));
  const words = bytes.toString("utf8", headerEnd + 1, wordsEnd).split(" ");
  if (header === undefined || words.length !== header.words) return undefined;
  const { dimensions } = header;
  const start = wordsEnd + 1 + words.length * 4;
  if (bytes.length !== start + words.length * dimensions) return undefined;
  const scales = words.map((_word, row) => bytes.readFloatLE(wordsEnd + 1 + row * 4));
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + start, words.length * dimensions);
  return {
    dimensions,
    rows: new Map(words.map((word, row) => [word, row])),
    addTo(sum, row, weight) {
      const factor = weight * (scales[row] ?? 0);
      for (let at = 0; at < dimensions; at += 1)
        sum[at] = (sum[at] ?? 0) + factor * (values[row * dimensions + at] ?? 0);
    },
  };
}

function parseHeader(line: string): { dimensions: number; words: number } | undefined {
  try {
    const header: unknown = JSON.parse(line);
    if (!isObject(header) || header.format !== "word-vectors") return undefined;
    const { dimensions, words } = header;
    const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
    return isCount(dimensions) && isCount(words) ? { dimensions, words } : undefined;
  } catch {
    return undefined;
  }
}

function parseText(text: string): WordTable | undefined {
  const lines = text.split("\n", maxTextWords + 1);
  if (/^\d+ \d+\s*$/.test(lines[0] ?? "")) lines.shift();
  const dimensions = (lines[0] ?? "").trim().split(/\s+/).length - 1;
  if (dimensions < 2) return undefined;
  const rows = new Map<string, number>();
  const vectors: Float32Array[] = [];
  for (const line of lines) {
    const [word = "", ...numbers] = line.trimEnd().split(" ");
    if (word === "" && numbers.length === 0) continue;
    const vector = Float32Array.from(numbers, Number);
    if (vector.length !== dimensions || !vector.every(Number.isFinite)) return undefined;
    if (!rows.has(word)) rows.set(word, vectors.length);
    vectors.push(vector);
  }
  return {
    dimensions,
    rows,
    addTo(sum, row, weight) {
      vectors[row]?.forEach((value, at) => {
        sum[at] = (sum[at] ?? 0) + weight * value;
      });
    },
  };
}
