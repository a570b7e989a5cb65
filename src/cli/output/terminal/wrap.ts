import { displayWidth, truncate } from "./display-width.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: codes of colors
const styleCode = /\u001b\[([\d;]*)m/g;

/** Number of terminal columns that a text with colors takes. */
export function shownWidth(text: string): number {
  return displayWidth(text.replace(styleCode, ""));
}

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

/** Breaks the lines that are wider than the screen between words; what begins with `\r` is drawn over, and left as it is. */
export function wrapLines(text: string, width: number): string {
  if (text.startsWith("\r") || text.length <= width) return text;
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, width))
    .join("\n");
}

/** One line as several that fit, if there is a space to break at; further ones are indented below the first. */
export function wrapLine(line: string, width: number): string[] {
  if (shownWidth(line) <= width) return [line];
  const margin = hangingMargin(line, width);
  const lines: string[] = [];
  const [indent = ""] = /^ */.exec(line) ?? [];
  let current = indent;
  let used = indent.length;
  for (const [index, word] of line
    .slice(indent.length)
    .split(/(?<=[^ ]) (?=\S)/)
    .entries()) {
    const columns = shownWidth(word);
    if (index > 0 && used + 1 + columns > width) {
      lines.push(current);
      current = " ".repeat(margin) + word;
      used = margin + columns;
    } else {
      current += index === 0 ? word : ` ${word}`;
      used += columns + (index === 0 ? 0 : 1);
    }
  }
  return carryStyles([...lines, current]);
}

/** A style that goes on in the next line ends with each line and begins again. */
function carryStyles(lines: readonly string[]): string[] {
  let open = "";
  return lines.map((line) => {
    const begun = open === "" ? line : line.replace(/^ */, (margin) => margin + open);
    for (const [code, number] of line.matchAll(styleCode)) open = number === "0" ? "" : code;
    return open === "" ? begun : `${begun}\u001b[0m`;
  });
}

/** Start of the second column; else a little more than the line's own indent. */
function hangingMargin(line: string, width: number): number {
  const [column = ""] = /^ *(?:- )?\S.*? {2,}(?=\S)/.exec(line) ?? [];
  const columns = shownWidth(column);
  if (columns > 0 && columns <= width * 0.65) return columns;
  const [, indent = "", mark = ""] = /^( *)(- |\d{1,2}\. )?/.exec(line) ?? [];
  const more = mark.length || (indent === "" || indent.length > maxIndent ? 0 : 2);
  return Math.min(indent.length + more, Math.floor(width / 2));
}

/** A diff whose long lines go on in further lines that have their sign, too. */
export function fitDiff(diff: string, width: number): string {
  return diff
    .split("\n")
    .flatMap((line) =>
      /^[-+ ] /.test(line)
        ? wrapWords(line.slice(2), width - 2).map((row) => `${line.slice(0, 2)}${row}`)
        : [line],
    )
    .join("\n");
}
