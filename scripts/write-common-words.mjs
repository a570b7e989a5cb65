// Writes src/text/tokens/common-words.ts: which words are a single token for two common tokenizers.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { decode } from "gpt-tokenizer/encoding/cl100k_base";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

const wordCount = 14_000;
const bitsPerWord = 8;
const hashCount = 5;

const words = [];
for (let token = 0; token < 100_256 && words.length < wordCount; token += 1) {
  const text = decode([token]);
  if (/^ [a-z]{3,}$/.test(text) && encode(text).length === 1) words.push(text.slice(1));
}

const size = words.length * bitsPerWord;
const bits = new Uint8Array(Math.ceil(size / 8));
for (const word of words) {
  const [first, second] = hashes(word);
  for (let index = 0; index < hashCount; index += 1) {
    const bit = (first + index * second) % size;
    bits[bit >> 3] |= 1 << (bit & 7);
  }
}

/** The same function as in the file that is written. */
function hashes(word) {
  let first = 2166136261;
  let second = 52711;
  for (let index = 0; index < word.length; index += 1) {
    first = Math.imul(first ^ word.charCodeAt(index), 16777619) >>> 0;
    second = (Math.imul(second, 33) + word.charCodeAt(index)) >>> 0;
  }
  return [first, second % 65_521];
}

const lines = Buffer.from(bits)
  .toString("base64")
  .match(/.{1,100}/g);
writeFileSync(
  join(import.meta.dirname, "../src/text/tokens/common-words.ts"),
  `// Written by scripts/write-common-words.mjs: the ${words.length} most common English words that two common tokenizers read as
// one token, as a Bloom filter. The false-positive rate is about one in fifty.
const size = ${size};
const hashCount = ${hashCount};
let bits: Buffer | undefined;

/** Whether a lower-case word is common enough to be a single token. */
export function isCommonWord(word: string): boolean {
  bits ??= Buffer.from(filter, "base64");
  let first = 2166136261;
  let second = 52711;
  for (let index = 0; index < word.length; index += 1) {
    first = Math.imul(first ^ word.charCodeAt(index), 16777619) >>> 0;
    second = (Math.imul(second, 33) + word.charCodeAt(index)) >>> 0;
  }
  second %= 65_521;
  for (let index = 0; index < hashCount; index += 1) {
    const bit = (first + index * second) % size;
    if (((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

const filter =
${lines.map((line) => `  "${line}"`).join(" +\n")};
`,
);
