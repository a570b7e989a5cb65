/** Help on a screen that is narrower than it: lines end between words, and what belongs to a column stays in it. */
export function fitHelp(help: string, width: number): string {
  const isWide = help.split("\n").some((line) => line.length > width);
  return isWide
    ? joinParagraphs(help)
        .split("\n")
        .flatMap((line) => fitLine(line, width))
        .join("\n")
    : help;
}

/** Descriptions are written in lines of their own length, which would leave ragged ends. */
function joinParagraphs(help: string): string {
  return help.replace(/(?<=^\S.*[^:\s])\n(?=[^\s-])/gm, " ");
}

function fitLine(line: string, width: number): string[] {
  // An example is there to be copied as a whole.
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

/** Where the second column of a line begins; else a little behind the beginning of an indented line. */
function hangingMargin(line: string, width: number): number {
  const [column = ""] = /^ +\S.*? {2,}(?=\S)/.exec(line) ?? [];
  if (column !== "" && column.length <= width / 2) return column.length;
  return line.startsWith(" ") ? 4 : 0;
}
