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

const tokensOfUnspaced = memoize((text) => {
  if (plainWord.test(text)) return tokensOfPlainWord(text);
  return markedWord.test(text) ? tokensOfPlainWord(text.slice(0, -1)) + 1 : tokensOfRuns(text);
});

/** A word at the end of a sentence or of a part of it. */
const markedWord = /^[a-z]+[.,;:!?)]$/;

/** Lower-case letters, of which most text is made: without a call for each question about a letter. */
function tokensOfPlainWord(word: string): number {
  const { length } = word;
  if (length <= 2) return 1;
  if (length <= longestCommonWord && !isTripled(word, 2) && isCommonWord(word)) return 1.05;
  let rare = 0;
  let isSpoken = false;
  let before = -1;
  let previous = -1;
  for (let at = 0; at < length; at += 1) {
    const letter = word.charCodeAt(at) - 97;
    if (((vowels >> letter) & 1) === 1) isSpoken = true;
    const isTriple = previous === letter && before === letter;
    if (at > 0 && (isTriple || (((commonFollowers[previous] as number) >> letter) & 1) === 0)) rare += 1;
    before = previous;
    previous = letter;
  }
  const usual = Math.max(1.3, length / (isSpoken ? 2.1 : 1.65));
  return usual + 0.33 * Math.max(0, rare - length / 5);
}

/** A bit for each of a, e, i, o, u and y. */
const vowels = 0b1_0001_0000_0100_0001_0001_0001;

function tokensOfRuns(text: string): number {
  let tokens = 0;
  for (let start = 0; start < text.length; ) {
    const kind = kindOf(text.charCodeAt(start));
    const end = kind === "letters" ? endOfLetters(text, start) : endOfRun(text, start, kind);
    tokens += tokensOfRun(text, start, end, kind);
    start = end;
  }
  return tokens;
}

type Kind = "letters" | "mark" | "control" | "other";

function kindOf(code: number): Kind {
  if (isAsciiWord(code) || isAccented(code)) return "letters";
  if (isControl(code)) return "control";
  return code < 128 ? "mark" : "other";
}

function endOfRun(text: string, start: number, kind: Kind): number {
  let end = start + 1;
  while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end += 1;
  return end;
}

function tokensOfRun(text: string, start: number, end: number, kind: Kind): number {
  switch (kind) {
    case "letters":
      return tokensOfLetters(text, start, end);
    case "mark":
      return tokensOfMarks(text.slice(start, end), start === 0);
    case "control":
      return end - start;
    default:
      return tokensOfOthers(text, start, end);
  }
}

/** Other characters, most of which take a token for each of their two or three bytes. */
function tokensOfOthers(text: string, start: number, end: number): number {
  let tokens = 0;
  for (let at = start; at < end; at += 1) tokens += tokensOfOther(text.charCodeAt(at));
  return tokens;
}

function tokensOfOther(code: number): number {
  return tokensByBlock.charCodeAt(code >> 6) & 1 ? 3 : 2;
}

/** Whether a space before this character is a separate token. */
function isSpaceSeparate(code: number): boolean {
  if (code < 128) return isDigit(code) || isControl(code);
  return !isOrdinaryLetter(code) && tokensByBlock.charCodeAt(code >> 6) >= 52;
}

/** A word, capitals or digits; an unbroken run of twenty or more letters and digits counts as one. */
function endOfLetters(text: string, start: number): number {
  let end = start;
  while (end < text.length && isAsciiWord(text.charCodeAt(end))) end += 1;
  if (end - start >= 20) return end;
  end = start;
  while (end < text.length && isLetter(text.charCodeAt(end))) end += 1;
  for (let at = start; at < end; at += 1) if (isAccented(text.charCodeAt(at))) return end;
  return endOfPiece(text, start, text.length);
}

/** A word with at most one capital at its start, several capitals, or digits. */
function endOfPiece(text: string, start: number, limit: number): number {
  let end = start + 1;
  if (isDigit(text.charCodeAt(start))) {
    while (end < limit && isDigit(text.charCodeAt(end))) end += 1;
    return end;
  }
  if (isUpper(text.charCodeAt(start)) && end < limit && isUpper(text.charCodeAt(end))) {
    while (end < limit && isUpper(text.charCodeAt(end))) end += 1;
    return end < limit && isLower(text.charCodeAt(end)) ? end - 1 : end;
  }
  while (end < limit && isLower(text.charCodeAt(end))) end += 1;
  return end;
}

function tokensOfLetters(text: string, start: number, end: number): number {
  let tokens = 0;
  let hasDigits = false;
  let hasCapitals = false;
  for (let at = start; at < end; ) {
    const code = text.charCodeAt(at);
    if (isAccented(code)) return tokensOfForeign(text, start, end);
    const next = endOfPiece(text, at, end);
    hasDigits ||= isDigit(code);
    hasCapitals ||= isUpper(code);
    tokens += tokensOfPiece(text.slice(at, next));
    at = next;
  }
  // Probably a key or a hash.
  if (end - start >= 20 && hasDigits) tokens = Math.max(tokens, (end - start) / (hasCapitals ? 1.3 : 1.65));
  return tokens;
}

/** A word with non-ASCII letters: the higher of two estimates, by length and by letter. */
function tokensOfForeign(text: string, start: number, end: number): number {
  const length = end - start;
  const highest = highestCodeIn(text, start, end);
  if (length === 1 && highest < 0x400) return 2;
  let ofLetters = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 128) ofLetters += tokensOfForeignLetter(code, at === start && length > 1, highest);
    else ofLetters += isBetweenForeign(text, at) ? 1 : isUpper(code) ? 0.6 : 0.25;
  }
  const ofLength = length * (isGreek(highest) ? 1.05 : 0.6);
  const perRarePair = highest < 0x370 ? 0.3 : highest < 0x400 ? 0.8 : 1.25;
  return Math.max(1, ofLength, ofLetters) + perRarePair * rarePairsBeyondUsual(text.slice(start, end));
}

function highestCodeIn(text: string, start: number, end: number): number {
  let highest = 0;
  for (let at = start; at < end; at += 1) highest = Math.max(highest, text.charCodeAt(at));
  return highest;
}

function isBetweenForeign(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) >= 128 && text.charCodeAt(at + 1) >= 128;
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
  const last = piece.charCodeAt(length - 1);
  if (isDigit(last)) return Math.ceil(length / 3);
  if (length === 1) return 1;
  if (!isUpper(piece.charCodeAt(0))) return tokensOfPlainWord(piece);
  const lower = piece.toLowerCase();
  if (length === 2) return 1 + 0.8 * rarePairsIn(lower);
  const isCapitals = isUpper(last);
  const mayBeCommon = !isCapitals && length <= longestCommonWord && !isTripled(lower, 2);
  if (mayBeCommon && isCommonWord(lower)) return 1.25;
  const usual = isCapitals ? length / 1.9 : Math.max(1.3, length / (hasVowel(lower) ? 2.1 : 1.65));
  return usual + 0.55 * rarePairsBeyondUsual(lower);
}

/** Rare letter pairs beyond the number found in most words. */
function rarePairsBeyondUsual(word: string): number {
  return Math.max(0, rarePairsIn(word.toLowerCase()) - word.length / 5);
}

/** The number of adjacent letters that rarely occur together. */
function rarePairsIn(lower: string): number {
  if (!plainWord.test(lower)) return rarePairsInAny(lower);
  let rare = 0;
  let before = -1;
  let previous = lower.charCodeAt(0) - 97;
  // Every word that is not common comes here: without a call for each letter.
  for (let at = 1; at < lower.length; at += 1) {
    const next = lower.charCodeAt(at) - 97;
    const isTriple = previous === next && before === next;
    if (isTriple || (((commonFollowers[previous] as number) >> next) & 1) === 0) rare += 1;
    before = previous;
    previous = next;
  }
  return rare;
}

const plainWord = /^[a-z]+$/;

function rarePairsInAny(lower: string): number {
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
  if (isLower(code)) return code - 97;
  if (code >= 0x430 && code <= 0x44f) return 32 + code - 0x430;
  if (code >= 0x3b1 && code <= 0x3c9) return 64 + code - 0x3b1;
  return -1;
}

function hasVowel(piece: string): boolean {
  for (let at = 0; at < piece.length; at += 1) if ("aeiouy".includes(piece.charAt(at))) return true;
  return false;
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

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isLetter(code: number): boolean {
  return isUpper(code) || isLower(code) || isAccented(code);
}

function isAsciiWord(code: number): boolean {
  return isUpper(code) || isLower(code) || isDigit(code);
}

/** Each control character is a separate token. */
function isControl(code: number): boolean {
  return code < 32 || code === 127;
}

/** Accented Latin, Greek and Cyrillic letters; not combining accents. */
function isAccented(code: number): boolean {
  return code >= 0xc0 && code <= 0x52f && !(code >= 0x300 && code <= 0x36f);
}

/** Non-ASCII letters of modern languages. */
function isOrdinaryLetter(code: number): boolean {
  return (
    (code >= 0xc0 && code <= 0x17f && code !== 0xd7 && code !== 0xf7) ||
    (code >= 0x386 && code <= 0x3ce) ||
    (code >= 0x400 && code <= 0x45f)
  );
}
