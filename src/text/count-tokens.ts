import { isCommonWord } from "./common-words.js";
import { remembering } from "./remembering.js";

/**
 * About how many tokens a language model reads in a text, without loading a tokenizer. Counted on the high side, so
 * that a budget kept by this count is not exceeded by a common tokenizer's count by more than 5 %.
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
  // Sums of fractions are a little off.
  return Math.max(0, Math.ceil(tokens - 1e-6));
}

const tokensOfUnspaced = remembering((text) =>
  /^[a-z]+$/.test(text) ? tokensOfPiece(text) : tokensOfRuns(text),
);

function tokensOfRuns(text: string): number {
  let tokens = 0;
  for (let start = 0; start < text.length; ) {
    const kind = kindOf(text.charCodeAt(start));
    const end = kind === "letters" ? endOfLetters(text, start) : endOfRun(text, start, kind);
    tokens +=
      kind === "letters" ? tokensOfLetters(text, start, end) : tokensOfRun(text.slice(start, end), kind);
    start = end;
  }
  return tokens;
}

type Kind = "letters" | "mark" | "ideograph" | "other";

function kindOf(code: number): Kind {
  if (isAsciiWord(code) || isAccented(code)) return "letters";
  if (code < 128) return "mark";
  return code >= 0x3040 && code <= 0xd7a3 ? "ideograph" : "other";
}

function endOfRun(text: string, start: number, kind: Kind): number {
  let end = start + 1;
  while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end += 1;
  return end;
}

/** A word, capitals or digits; letters and digits of twenty or more without a break are taken together. */
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
  let pieces = 0;
  let tokens = 0;
  let hasDigits = false;
  let hasCapitals = false;
  let foreign = 0;
  for (let at = start; at < end; ) {
    const code = text.charCodeAt(at);
    const next = endOfPiece(text, at, end);
    hasDigits ||= isDigit(code);
    hasCapitals ||= isUpper(code);
    if (isAccented(code)) foreign = Math.max(foreign, isGreek(code) ? 1.05 : 0.6);
    tokens += tokensOfPiece(text.slice(at, next));
    pieces += 1;
    at = next;
  }
  if (foreign > 0) return Math.max(1, (end - start) * foreign);
  // A key or a hash.
  if (end - start >= 20 && hasDigits) return Math.max(pieces, (end - start) / (hasCapitals ? 1.3 : 1.65));
  return tokens;
}

function tokensOfPiece(piece: string): number {
  const { length } = piece;
  const last = piece.charCodeAt(length - 1);
  if (isDigit(last)) return Math.ceil(length / 3);
  if (isUpper(last)) return length <= 2 ? 1 : length / 1.9;
  if (length <= 2) return 1;
  const isName = isUpper(piece.charCodeAt(0));
  if (isCommonWord(piece.toLowerCase())) return isName ? 1.25 : 1.05;
  return Math.max(1.3, length / (hasVowel(piece) ? 2.1 : 1.65));
}

function hasVowel(piece: string): boolean {
  for (let at = 0; at < piece.length; at += 1) if ("aeiouyAEIOUY".includes(piece.charAt(at))) return true;
  return false;
}

function tokensOfRun(run: string, kind: Kind): number {
  const { length } = run;
  switch (kind) {
    case "mark":
      return tokensOfMarks(run);
    case "ideograph":
      return length * (run.charCodeAt(0) >= 0xac00 ? 2.5 : 2.3);
    default:
      return length * (isRareScript(run.charCodeAt(0)) ? 3 : 2);
  }
}

/** Spaces and tabs, or the ends of lines, before the character `next`. */
function tokensOfSpace(run: string, next: number): number {
  const { length } = run;
  if (run.charCodeAt(0) === 10 || run.charCodeAt(0) === 13) return Math.ceil(length / 2);
  // One space belongs to the word behind it, but not to a number.
  const ofNumber = isDigit(next) ? 1 : 0;
  if (length === 1) return ofNumber;
  // Tabs and spaces make tokens of their own; of each there are only so many in one.
  const isShort = length < 16 && !run.includes("\t");
  return (isShort ? 1 : (run.match(/\t{1,15}| {1,80}/g)?.length ?? 1)) + ofNumber;
}

const commonPairs =
  /\(\)|=>|\/\/|::|->|\{\}|\[\]|==|&&|\|\||\.\.|":|",|\),|\);|"\)|<!|-->|<\/|\/>|`,|`\.|\.\/|:\/\//g;

/** Repeated marks and pairs that code is full of are one token, others one each. */
function tokensOfMarks(run: string): number {
  if (run.length === 1) return 1;
  if (/^(.)\1+$/.test(run)) return Math.ceil(run.length / 4);
  const rest = run.replace(commonPairs, "");
  return rest.length + (run.length - rest.length) / 2;
}

/** Ethiopic, Cherokee, Khmer, Mongolian and others that tokenizers know only as bytes. */
function isRareScript(code: number): boolean {
  return code >= 0x1200 && code <= 0x1dff;
}

/** Greek letters make more tokens than other alphabets. */
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

/** Latin letters with accents, Greek, Cyrillic; not the accents that stand alone behind a letter. */
function isAccented(code: number): boolean {
  return code >= 0xc0 && code <= 0x52f && !(code >= 0x300 && code <= 0x36f);
}
