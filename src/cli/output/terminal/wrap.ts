import { displayWidth } from "./display-width.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: codes of colors
const styleCode = /\u001b\[([\d;]*)m/g;

/** Number of terminal columns that a text with colors takes. */
export function shownWidth(text: string): number {
  return displayWidth(text.replace(styleCode, ""));
}

/** Breaks lines that are wider than the screen. Text that starts with `\r` overwrites its line, and is left as it is. */
export function wrapLines(text: string, width: number): string {
  if (text.startsWith("\r") || text.length <= width) return text;
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, width))
    .join("\n");
}

/** Breaks a line at spaces; further lines are indented below the first. A word that is too long is left to the terminal. */
export function wrapLine(line: string, width: number): string[] {
  if (shownWidth(line) <= width) return [line];
  const margin = hangingMargin(line, width);
  const lines: string[] = [];
  const [indent = ""] = /^ */.exec(line) ?? [];
  const [first = "", ...words] = line.slice(indent.length).split(/(?<=[^ ]) (?=\S)/);
  let current = indent + first;
  let used = indent.length + shownWidth(first);
  for (const word of words) {
    const columns = shownWidth(word);
    if (used + 1 + columns > width) {
      lines.push(current);
      current = " ".repeat(margin) + word;
      used = margin + columns;
    } else {
      current += ` ${word}`;
      used += 1 + columns;
    }
  }
  return carryStyles([...lines, current]);
}

/** A style that continues on the next line ends with each line and starts again. */
function carryStyles(lines: readonly string[]): string[] {
  let open = "";
  return lines.map((line) => {
    const begun = open === "" ? line : line.replace(/^ */, (margin) => margin + open);
    for (const [code, number] of line.matchAll(styleCode)) open = number === "0" ? "" : code;
    return open === "" ? begun : `${begun}\u001b[0m`;
  });
}

/** Text that is indented further is a second column without a first. */
const maxIndent = 12;

/** Start of the second column; otherwise a little more than the line's own indent. */
function hangingMargin(line: string, width: number): number {
  const [column = ""] = /^ *(?:- )?\S.*? {2,}(?=\S)/.exec(line) ?? [];
  const columns = shownWidth(column);
  if (columns > 0 && columns <= width * 0.65) return columns;
  const [, indent = "", mark = ""] = /^( *)(- |\d{1,2}\. )?/.exec(line) ?? [];
  const more = mark.length || (indent === "" || indent.length > maxIndent ? 0 : 2);
  return Math.min(indent.length + more, Math.floor(width / 2));
}

/** A diff whose long lines continue on further lines with the same sign. */
export function fitDiff(diff: string, width: number): string {
  const fit = (line: string) =>
    /^[-+ ] /.test(line)
      ? wrapLine(line.slice(2), width - 2).map((row) => `${line.slice(0, 2)}${row}`)
      : [line];
  return diff.split("\n").flatMap(fit).join("\n");
}
