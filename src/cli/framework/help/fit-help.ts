/** Wraps help text to the screen, keeping columns aligned. */
export function fitHelp(help: string, width: number): string {
  const isWide = help.split("\n").some((line) => line.length > width);
  return isWide
    ? joinParagraphs(help)
        .split("\n")
        .flatMap((line) => fitLine(line, width))
        .join("\n")
    : help;
}

/** Descriptions contain line breaks, which would leave ragged lines. */
function joinParagraphs(help: string): string {
  return help.replace(/(?<=^\S.*[^:\s])\n(?=[^\s-])/gm, " ");
}

function fitLine(line: string, width: number): string[] {
  // Examples are meant to be copied, so they are not wrapped.
  if (line.startsWith("  ralph ")) return [line];
  const margin = hangingMargin(line, width);
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const end = rest.lastIndexOf(" ", width);
    if (end <= margin) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = " ".repeat(margin) + rest.slice(end + 1).trimStart();
  }
  return [...lines, rest];
}

/** Start of the second column; else a small indent for indented lines. */
function hangingMargin(line: string, width: number): number {
  const [column = ""] = /^ +\S.*? {2,}(?=\S)/.exec(line) ?? [];
  if (column !== "" && column.length <= width / 2) return column.length;
  return line.startsWith(" ") ? 4 : 0;
}
