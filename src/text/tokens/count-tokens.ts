import { memoize } from "../memoize.js";
import { wordSet } from "../word-set.js";
import { isCommonWord } from "./common-words.js";
import { commonFollowers, tokensByBlock } from "./token-tables.js";

/**
 * Estimates the number of tokens in a text without a tokenizer. The estimate is on the high side: a text that fits a
 * budget by it exceeds that budget by at most 5 % with a common tokenizer.
 */
export function countTokens(text: string): number {
  const parts = text.split(/([ \t]+|[\n\r]+)/);
  let tokens = 0;
  for (let at = 0; at < parts.length; at += 2) {
    const unspaced = parts[at] ?? "";
    const space = parts[at + 1] ?? "";
    if (unspaced !== "") tokens += tokensOfUnspaced(unspaced);
    if (space !== "") tokens += tokensOfSpace(space, (parts[at + 2] ?? "").charCodeAt(0));
  }
  // Allows for rounding errors in sums of fractions.
  return Math.max(0, Math.ceil(tokens - 1e-6));
}

/** Accented Latin, Greek and Cyrillic letters; not combining accents. */
const accented = "\\u00c0-\\u02ff\\u0370-\\u052f";
/** Digits, capitals, or a word with at most one capital at its start. */
const piece = "[0-9]+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+";
const pieces = new RegExp(piece, "g");
const runs = new RegExp(
  [
    "(?<key>[A-Za-z0-9]{20,})",
    `(?<foreign>[A-Za-z]*[${accented}][A-Za-z${accented}]*)`,
    `(?<piece>${piece})`,
    "(?<control>[\\0-\\x1f\\x7f]+)",
    "(?<marks>[!-/:-@[-`{-~]+)",
    `[^\\0-\\x7f${accented}]+`,
  ].join("|"),
  "g",
);

const tokensOfUnspaced = memoize((text) => {
  let tokens = 0;
  for (const { 0: run, index, groups } of text.matchAll(runs)) {
    if (groups?.piece) tokens += tokensOfPiece(run);
    else if (groups?.marks) tokens += tokensOfMarks(run, index === 0);
    else if (groups?.key) tokens += tokensOfKey(run);
    else if (groups?.foreign) tokens += tokensOfForeign(run);
    else if (groups?.control) tokens += run.length;
    else tokens += tokensOfOthers(run);
  }
  return tokens;
});

/** Probably a key or a hash, if it has digits. */
function tokensOfKey(run: string): number {
  const ofPieces = (run.match(pieces) ?? []).reduce((sum, each) => sum + tokensOfPiece(each), 0);
  return /\d/.test(run) ? Math.max(ofPieces, run.length / (/[A-Z]/.test(run) ? 1.3 : 1.65)) : ofPieces;
}

/** Other characters, most of which take a token for each of their two or three bytes. */
function tokensOfOthers(run: string): number {
  let tokens = 0;
  for (let at = 0; at < run.length; at += 1)
    tokens += tokensByBlock.charCodeAt(run.charCodeAt(at) >> 6) & 1 ? 3 : 2;
  return tokens;
}

/** Whether a space before this character is a separate token. */
function isSpaceSeparate(code: number): boolean {
  // Digits and control characters.
  if (code < 128) return (code >= 48 && code <= 57) || code < 32 || code === 127;
  return !isOrdinaryLetter(code) && tokensByBlock.charCodeAt(code >> 6) >= 52;
}

/** A word with non-ASCII letters: the higher of two estimates, by length and by letter. */
function tokensOfForeign(word: string): number {
  const { length } = word;
  const codes = Array.from({ length }, (_, at) => word.charCodeAt(at));
  const highest = Math.max(...codes);
  if (length === 1 && highest < 0x400) return 2;
  const ofLetters = codes.reduce((sum, code, at) => {
    if (code >= 128) return sum + tokensOfForeignLetter(code, at === 0 && length > 1, highest);
    const isBetweenForeign = (codes[at - 1] ?? 0) >= 128 && (codes[at + 1] ?? 0) >= 128;
    return sum + (isBetweenForeign ? 1 : code <= 90 ? 0.6 : 0.25);
  }, 0);
  const ofLength = length * (isGreek(highest) ? 1.05 : 0.6);
  const perRarePair = highest < 0x370 ? 0.3 : highest < 0x400 ? 0.8 : 1.25;
  return Math.max(1, ofLength, ofLetters) + perRarePair * rarePairsBeyondUsual(word.toLowerCase());
}

/** The initial capital of a longer word counts as a lower-case letter. */
function tokensOfForeignLetter(code: number, isInitial: boolean, highest: number): number {
  if (!isOrdinaryLetter(code)) return 2;
  if (code < 0x100) return code < 0xdf && !isInitial ? 2 : 1.3;
  if (code < 0x180) return 1.87;
  if (isGreek(code)) return code < 0x3ac && !isInitial ? 2.1 : highest < 0x3cf ? 1.05 : 1.3;
  if (!isRussianOrUkrainian(code)) return 2;
  if (code < 0x430 && !isInitial) return 1.4;
  return highest < 0x460 ? 0.6 : 1.2;
}

/** А to я, and Ё, Є, І and Ї in both cases. */
function isRussianOrUkrainian(code: number): boolean {
  return (code >= 0x410 && code <= 0x44f) || "ЁЄІЇёєії".includes(String.fromCharCode(code));
}

const longestCommonWord = 18;

function tokensOfPiece(piece: string): number {
  const { length } = piece;
  if (/\d/.test(piece)) return Math.ceil(length / 3);
  if (length === 1) return 1;
  const lower = piece.toLowerCase();
  const isLower = piece === lower;
  if (length === 2) return isLower ? 1 : 1 + 0.8 * rarePairsIn(lower);
  const isCapitals = piece === piece.toUpperCase();
  const mayBeCommon = !isCapitals && length <= longestCommonWord && !isTripled(lower, 2);
  if (mayBeCommon && isCommonWord(lower)) return isLower ? 1.05 : 1.25;
  const usual = isCapitals ? length / 1.9 : Math.max(1.3, length / (/[aeiouy]/.test(lower) ? 2.1 : 1.65));
  return usual + (isLower ? 0.33 : 0.55) * rarePairsBeyondUsual(lower);
}

/** Rare letter pairs beyond the number found in most words. */
function rarePairsBeyondUsual(lower: string): number {
  return Math.max(0, rarePairsIn(lower) - lower.length / 5);
}

/** The number of adjacent letters that rarely occur together. */
function rarePairsIn(lower: string): number {
  let rare = 0;
  let previous = letterIndexOf(lower.charCodeAt(0));
  for (let at = 1; at < lower.length; at += 1) {
    const next = letterIndexOf(lower.charCodeAt(at));
    if (previous >= 0 && next >= 0 && (!isCommonPair(previous, next) || isTripled(lower, at))) rare += 1;
    previous = next;
  }
  return rare;
}

/** No word has the same letter three times in a row. */
function isTripled(word: string, at: number): boolean {
  const code = word.charCodeAt(at);
  return code === word.charCodeAt(at - 1) && code === word.charCodeAt(at - 2);
}

function isCommonPair(first: number, second: number): boolean {
  return first >> 5 === second >> 5 && (((commonFollowers[first] ?? 0) >> (second & 31)) & 1) === 1;
}

/** Latin letters count from 0, Russian from 32, Greek from 64. */
function letterIndexOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 97;
  if (code >= 0x430 && code <= 0x44f) return 32 + code - 0x430;
  if (code >= 0x3b1 && code <= 0x3c9) return 64 + code - 0x3b1;
  return -1;
}

/** Spaces and tabs, or line ends, before the character `next`. */
function tokensOfSpace(run: string, next: number): number {
  const { length } = run;
  if (run.charCodeAt(0) === 10 || run.charCodeAt(0) === 13) return tokensOfLineEnds(run);
  // One space is part of the next word's token, but not of a number's.
  const ofLast = isSpaceSeparate(next) ? 1 : 0;
  if (length === 1) return Math.max(ofLast, run === "\t" ? 1 : 0);
  // Tabs and spaces form separate tokens of limited length.
  const isShort = length < 16 && !run.includes("\t");
  return (isShort ? 1 : (run.match(/\t{1,15}| {1,80}/g)?.length ?? 1)) + ofLast;
}

/** Two line ends are one token, but not lone carriage returns. */
function tokensOfLineEnds(run: string): number {
  const ends = run.includes("\r") ? run.replaceAll("\r\n", "\n") : run;
  return ends.includes("\r") ? ends.length : Math.ceil(run.length / 2);
}

const commonMarks = wordSet(`() => // :: -> {} [] == && || .. ": ", ), ); ") <! --> </ /> \`, \`. ./ ://`);

/** Repeated marks and pairs that are common in code take one token; others one each. */
function tokensOfMarks(run: string, isFirst: boolean): number {
  if (run.length === 1) return 1;
  if (run === run.charAt(0).repeat(run.length)) return tokensOfRepeated(run.charAt(0), run.length, isFirst);
  let tokens = 0;
  for (let at = 0; at < run.length; ) {
    const common = commonAt(run, at);
    tokens += common === 0 ? 1 : common / 2;
    at += common || 1;
  }
  return tokens;
}

/** How many marks from here on are common together. */
function commonAt(run: string, at: number): number {
  if (commonMarks.has(run.slice(at, at + 2))) return 2;
  return commonMarks.has(run.slice(at, at + 3)) ? 3 : 0;
}

/** One mark repeated; after a space, which may join the first mark, it often takes one token more. */
function tokensOfRepeated(mark: string, length: number, isFirst: boolean): number {
  if (length === 2) return 1;
  if ("\"'`".includes(mark)) return Math.floor(length / 2);
  if ("&[{".includes(mark)) return Math.ceil(length / 2);
  if ("]}".includes(mark)) return Math.floor(length / 2) + 1;
  // Used to draw lines.
  if ("#*-./=_".includes(mark)) return Math.min(Math.ceil(length / 4), 2.5 + length / 32);
  if ("$:@\\^|~".includes(mark)) return Math.floor((length + (isFirst ? 4 : 1)) / 4) + 1;
  return Math.ceil(length / 4) + (isFirst ? 1 : 0);
}

/** Greek takes more tokens than other alphabets. */
function isGreek(code: number): boolean {
  return code >= 0x370 && code <= 0x3ff;
}

/** Non-ASCII letters of modern languages. */
function isOrdinaryLetter(code: number): boolean {
  return (
    (code >= 0xc0 && code <= 0x17f && code !== 0xd7 && code !== 0xf7) ||
    (code >= 0x386 && code <= 0x3ce) ||
    (code >= 0x400 && code <= 0x45f)
  );
}
