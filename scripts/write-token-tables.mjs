// Writes src/text/tokens/token-tables.ts: what two common tokenizers make of characters that are not common words.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { decode as decodeCl100k, encode as encodeCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { decode as decodeO200k, encode as encodeO200k } from "gpt-tokenizer/encoding/o200k_base";

const blockSize = 64;
const leastOfLatin = 280;
const leastOfRussian = 14;
const leastOfGreek = 2;
const isAssigned = /\p{Assigned}/u;

function tokensOf(text) {
  return Math.max(encodeCl100k(text).length, encodeO200k(text).length);
}

/** The characters of a block; halves of pairs stand for the characters that begin with them. */
function charactersOf(start) {
  const codes = Array.from({ length: blockSize }, (_, index) => start + index);
  const isHighHalf = start >= 0xd800 && start < 0xdc00;
  if (start >= 0xdc00 && start < 0xe000) return [];
  const points = isHighHalf
    ? codes.flatMap((code) => Array.from({ length: 64 }, (_, index) => (code - 0xd7c0) * 1024 + index * 16))
    : codes;
  return points.map((point) => String.fromCodePoint(point)).filter((text) => isAssigned.test(text));
}

/** How many tokens a character of a block is, 2 or 3; 4 or 5 if a space before it is one more. */
function digitOf(start) {
  const characters = charactersOf(start).filter((text) => text.length > 1 || tokensOf(text) > 1);
  const isPair = start >= 0xd800 && start < 0xe000;
  const isMost = (test) => characters.filter(test).length > characters.length * 0.1;
  const price = isPair || !isMost((text) => tokensOf(text) > 2) ? 2 : 3;
  const isSpaceApart = isMost((text) => tokensOf(`a ${text}`) - 1 - tokensOf(text) > 0);
  return price + (isSpaceApart ? 2 : 0);
}

const blocks = Array.from({ length: 0x10000 / blockSize }, (_, index) => digitOf(index * blockSize)).join("");

const vocabulary = [
  ...Array.from({ length: 100_256 }, (_, token) => decodeCl100k([token])),
  ...Array.from({ length: 199_998 }, (_, token) => decodeO200k([token])),
];

/** Which letters follow each letter of an alphabet in at least so many tokens, as bits. */
function followersIn(first, size, least) {
  const counts = Array.from({ length: 32 }, () => new Array(32).fill(0));
  for (const token of vocabulary) {
    const letters = [...token.trim()].map((letter) => letter.charCodeAt(0) - first);
    if (letters.some((letter) => letter < 0 || letter >= size)) continue;
    for (let at = 1; at < letters.length; at += 1) counts[letters[at - 1]][letters[at]] += 1;
  }
  return counts.map((row) =>
    row.reduce((bits, count, letter) => (count >= least ? bits | (1 << letter) : bits), 0),
  );
}

const followers = [
  ...followersIn(97, 26, leastOfLatin),
  ...followersIn(0x430, 32, leastOfRussian),
  ...followersIn(0x3b1, 25, leastOfGreek),
];

writeFileSync(
  join(import.meta.dirname, "../src/text/tokens/token-tables.ts"),
  `// Written by scripts/write-token-tables.mjs.

/**
 * Tokens per character, one digit for each block of ${blockSize} code units: 2 or 3; 4 and 5 are 2 and 3 if a
 * space before the character is an extra token. Each half of a surrogate pair counts separately.
 */
export const tokensByBlock =
${blocks
  .match(/.{1,100}/g)
  .map((line) => `  "${line}"`)
  .join(" +\n")};

/** For each of 26 Latin, 32 Russian and 25 Greek letters, 32 places for each, which follow it often, as bits. */
export const commonFollowers = [
  ${followers.join(", ")},
];
`,
);
