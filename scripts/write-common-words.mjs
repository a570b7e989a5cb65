// Writes src/text/tokens/common-words.ts: which words are a single token for two common tokenizers.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { decode } from "gpt-tokenizer/encoding/cl100k_base";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { asCharacters, asLiteral } from "./six-bits.mjs";

const wordCount = 14_000;
const bitsPerWord = 8;
const hashCount = 5;
/** Longer words are not looked for; a multiple of four. */
const longestWord = 20;

const words = [];
for (let token = 0; token < 100_256 && words.length < wordCount; token += 1) {
  const text = decode([token]);
  if (/^ [a-z]{3,20}$/.test(text) && encode(text).length === 1) words.push(text.slice(1));
}

const size = words.length * bitsPerWord;
const filter = new Uint8Array(Math.ceil(size / 6));
for (const word of words) {
  const [first, second] = hashes(word);
  for (let index = 0; index < hashCount; index += 1) {
    const bit = (first + index * second) % size;
    filter[Math.floor(bit / 6)] |= 1 << (bit % 6);
  }
}

/** The same function as in the file that is written. */
function hashes(word) {
  const letters = Buffer.alloc(longestWord);
  letters.write(word, "latin1");
  let hash = word.length;
  for (let at = 0; at < word.length; at += 4) {
    hash = Math.imul(hash ^ letters.readInt32LE(at), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return [hash >>> 0, (Math.imul(hash, 0xc2b2ae35) >>> 0) % 65_521];
}

writeFileSync(
  join(import.meta.dirname, "../src/text/tokens/common-words.ts"),
  `// Written by scripts/write-common-words.mjs: the ${words.length} most common English words that two common tokenizers read as
// one token, as a Bloom filter. The false-positive rate is about one in fifty.
const size = ${size};
const hashCount = ${hashCount};
const longest = ${longestWord};

/** Whether a lower-case word of ASCII letters is common enough to be a single token. */
export function isCommonWord(word: string): boolean {
  const { length } = word;
  if (length > longest) return false;
  let hash = length;
  // Four letters at a time: this runs for every word of every text. Behind the end there are none, which count as 0.
  for (let at = 0; at < length; at += 4) {
    const four =
      word.charCodeAt(at) |
      (word.charCodeAt(at + 1) << 8) |
      (word.charCodeAt(at + 2) << 16) |
      (word.charCodeAt(at + 3) << 24);
    hash = Math.imul(hash ^ four, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  let bit = (hash >>> 0) % size;
  const step = (Math.imul(hash, 0xc2b2ae35) >>> 0) % 65_521;
  for (let index = 0; index < hashCount; index += 1) {
    // Small whole numbers: V8 makes an object of any other.
    if (index > 0) bit = (bit + step) % size;
    const place = bit % 6;
    if (((filter.charCodeAt((bit - place) / 6) - 48) & (1 << place)) === 0) return false;
  }
  return true;
}

// Six bits are a character: to make bytes of it would call functions of Node, which every process has to compile.
const filter =
${asLiteral(asCharacters(filter))};
`,
);
