/**
 * About how many tokens a language model reads in a text, without loading a tokenizer. Counted on the high side, so
 * that a budget kept by this count is not exceeded by a common tokenizer's count by more than 5 %.
 */
export function countTokens(text: string): number {
  const wordTokens = isMostlyEnglish(text) ? tokensOfEnglishWord : tokensOfForeignWord;
  let tokens = 0;
  for (let start = 0; start < text.length; ) {
    const kind = kindOf(text.charCodeAt(start));
    const end = kind === "letters" ? endOfLetters(text, start) : endOfRun(text, start, kind);
    tokens +=
      kind === "letters"
        ? tokensOfLetters(text, start, end, wordTokens)
        : tokensOfRun(kind, end - start, text.charCodeAt(end));
    start = end;
  }
  return Math.ceil(tokens);
}

type Kind = "letters" | "space" | "lineEnd" | "mark" | "ideograph" | "other";

function kindOf(code: number): Kind {
  if (isAsciiWord(code) || isAccented(code)) return "letters";
  if (code === 32 || code === 9) return "space";
  if (code === 10 || code === 13) return "lineEnd";
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

function tokensOfLetters(
  text: string,
  start: number,
  end: number,
  wordTokens: (length: number) => number,
): number {
  let pieces = 0;
  let tokens = 0;
  let hasDigits = false;
  let hasCapitals = false;
  let hasAccents = false;
  for (let at = start; at < end; ) {
    const code = text.charCodeAt(at);
    const next = endOfPiece(text, at, end);
    hasDigits ||= isDigit(code);
    hasCapitals ||= isUpper(code);
    hasAccents ||= isAccented(code);
    tokens += tokensOfPiece(text, at, next, wordTokens);
    pieces += 1;
    at = next;
  }
  if (hasAccents) return Math.max(1, (end - start) / 1.7);
  // A key or a hash.
  if (end - start >= 20 && hasDigits) return Math.max(pieces, (end - start) / (hasCapitals ? 1.3 : 1.65));
  return tokens;
}

function tokensOfPiece(
  text: string,
  start: number,
  end: number,
  wordTokens: (length: number) => number,
): number {
  const length = end - start;
  const last = text.charCodeAt(end - 1);
  if (isDigit(last)) return Math.ceil(length / 3);
  if (isUpper(last)) return length <= 2 ? 1 : length / 2;
  // Names are rarer than words.
  return isUpper(text.charCodeAt(start)) ? Math.max(wordTokens(length), length / 4) : wordTokens(length);
}

function tokensOfRun(kind: Kind, length: number, next: number): number {
  switch (kind) {
    case "space":
      // One space belongs to the word behind it, but not to a number.
      return isDigit(next) ? Math.min(2, length) : length === 1 ? 0 : 1;
    case "lineEnd":
      return Math.ceil(length / 2);
    case "mark":
      return length <= 2 ? 1 : length / 1.5;
    case "ideograph":
      return length * 1.25;
    default:
      return length * 2;
  }
}

function tokensOfEnglishWord(length: number): number {
  if (length <= 2) return 1;
  return length <= 8 ? 1.1 : length / 6;
}

function tokensOfForeignWord(length: number): number {
  return length <= 2 ? 1 : Math.max(1.1, length / 2.6);
}

/** Accented letters, of which foreign words have many, make up less than a hundredth. */
function isMostlyEnglish(text: string): boolean {
  let accented = 0;
  for (let at = 0; at < text.length; at += 1) if (isAccented(text.charCodeAt(at))) accented += 1;
  return accented * 100 < text.length || accented === 0;
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

/** Latin letters with accents, Greek, Cyrillic. */
function isAccented(code: number): boolean {
  return code >= 0xc0 && code <= 0x52f;
}
