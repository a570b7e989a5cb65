import { displayWidth, truncate } from "../terminal/display-width.js";

const leastColumns = 8;
const maxIndent = 12;

/**
 * Breaks a text between words, and a word only if it is too long for a row; further rows keep the indentation, and may have
 * fewer columns than the first one.
 */
export function wrapWords(text: string, firstColumns: number, columns = firstColumns): string[] {
  let width = Math.max(leastColumns, firstColumns);
  if (displayWidth(text) <= width) return [text];
  const further = Math.max(leastColumns, columns);
  const indent = (/^ */.exec(text)?.[0] ?? "").slice(0, Math.min(maxIndent, further >> 1));
  const rows: string[] = [];
  let row = indent;
  let isEmpty = true;
  for (const word of text.trim().split(" ")) {
    const joined = isEmpty ? `${row}${word}` : `${row} ${word}`;
    if (displayWidth(joined) <= width) row = joined;
    else {
      if (!isEmpty) rows.push(row);
      width = further;
      const pieces = breakWord(word, width - indent.length);
      rows.push(...pieces.slice(0, -1).map((piece) => `${indent}${piece}`));
      row = `${indent}${pieces.at(-1) ?? ""}`;
    }
    isEmpty = false;
  }
  return [...rows, row];
}

function breakWord(word: string, columns: number): string[] {
  const pieces: string[] = [];
  let rest = word;
  while (displayWidth(rest) > columns) {
    const cut = truncate(rest, columns + 1);
    // What fits, without the mark that it goes on.
    const piece = (cut === rest ? truncate(rest, columns) : cut).slice(0, -1);
    if (piece === "") break;
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}
