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

export function* linesOf(text: string): Generator<Line> {
  let start = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  for (let number = 1; start < text.length; number += 1) {
    const newline = text.indexOf("\n", start);
    const next = newline === -1 ? text.length : newline + 1;
    const textEnd = newline === -1 ? text.length : newline;
    let end = textEnd;
    // There may be several, and one at the end of the file: our line end may follow half of another.
    while (end > start && text[end - 1] === "\r") end -= 1;
    yield { number, start, end, next, text: text.slice(start, end) };
    start = next;
  }
}

/** The first line end of a file. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const newline = text.indexOf("\n");
  return newline > 0 && text[newline - 1] === "\r" ? "\r\n" : "\n";
}
