import { shownWidth, styleCode } from "./shown-width.js";

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

/** What stands further in is a second column without a first. */
const maxIndent = 12;

/** Start of the second column; else a little more than the line's own indent. */
function hangingMargin(line: string, width: number): number {
  const [column = ""] = /^ *(?:- )?\S.*? {2,}(?=\S)/.exec(line) ?? [];
  const columns = shownWidth(column);
  if (columns > 0 && columns <= width * 0.65) return columns;
  const [, indent = "", mark = ""] = /^( *)(- |\d{1,2}\. )?/.exec(line) ?? [];
  const more = mark.length || (indent === "" || indent.length > maxIndent ? 0 : 2);
  return Math.min(indent.length + more, Math.floor(width / 2));
}
