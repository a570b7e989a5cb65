/** One line of a file: `start` to `end` is its text, `end` to `next` its line end. Offsets count bytes. */
export interface Line {
  number: number;
  start: number;
  end: number;
  next: number;
  text: string;
}

/**
 * The bytes of a file as a string with one character per byte, so that offsets into it are byte offsets and no encoding
 * loses anything.
 */
export function byteText(bytes: Buffer): string {
  return bytes.toString("latin1");
}

export const byteOrderMark = "\u00ef\u00bb\u00bf";

/** Every line. */
export function* linesOf(text: string): Generator<Line> {
  let start = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  for (let number = 1; start < text.length; number += 1) {
    const newline = text.indexOf("\n", start);
    const next = newline === -1 ? text.length : newline + 1;
    const textEnd = newline === -1 ? text.length : newline;
    let end = textEnd;
    // There may be several, also at the end of the file: our line end may follow half of another.
    while (end > start && text[end - 1] === "\r") end -= 1;
    yield { number, start, end, next, text: text.slice(start, end) };
    start = next;
  }
}

/** The lines of a notes file that may be part of a note, and where reading stopped. */
export interface SignificantLines {
  lines: Line[];
  end: number;
}

/**
 * Lines that may belong to a note, or hide one: headings, quotes, comments, fences, conflict markers. Other lines are prose, of which a
 * file may have millions: only the first of each run is included. Stops at `maxLines`.
 */
export function significantLines(text: string, maxLines: number): SignificantLines {
  const lines: Line[] = [];
  let isPlain = false;
  let start = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  for (let number = 1; start < text.length; number += 1) {
    const isTelling = isTellingAt(text, start);
    const newline = text.indexOf("\n", start);
    const next = newline === -1 ? text.length : newline + 1;
    if (isTelling || !isPlain) {
      if (lines.length === maxLines) break;
      let end = newline === -1 ? text.length : newline;
      while (end > start && text.charCodeAt(end - 1) === 13) end -= 1;
      lines.push({ number, start, end, next, text: text.slice(start, end) });
    }
    isPlain = !isTelling;
    start = next;
  }
  return { lines, end: start };
}

const significantCharacters = new Set([..."#<>`~|"].map((character) => character.charCodeAt(0)));

function isTellingAt(text: string, start: number): boolean {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return significantCharacters.has(text.charCodeAt(at)) || text.startsWith("-->", at);
}

/** What `\s` matches in such a text, except the line end. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || (code > 10 && code < 14) || code === 160;
}

/** Drops an incomplete line or character at the end. */
export function withoutHalfLine(bytes: Buffer): Buffer {
  const newline = bytes.lastIndexOf(10);
  // A line of several megabytes is one note, whose beginning identifies it.
  if (newline >= bytes.length - 1024 * 1024) return bytes.subarray(0, newline + 1);
  let end = bytes.length - 1;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** The first line end of a file. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const newline = text.indexOf("\n");
  return newline > 0 && text[newline - 1] === "\r" ? "\r\n" : "\n";
}
