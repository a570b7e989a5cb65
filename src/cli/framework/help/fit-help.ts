import { wrapLine } from "../../output/screen/wrap.js";

/** Wraps help text to the screen, keeping columns aligned; examples go on after a backslash, so that they can be copied. */
export function fitHelp(help: string, width: number): string {
  const isWide = help.split("\n").some((line) => line.length > width);
  if (!isWide) return help;
  const [text = "", examples] = help.split(/^(?=Examples:\n)/m);
  return [
    ...moveLongNames(joinParagraphs(text))
      .split("\n")
      .flatMap((line) => wrapLine(line, width)),
  ]
    .join("\n")
    .concat(examples === undefined ? "" : fitExamples(examples, width));
}

/** Descriptions contain line breaks, which would leave ragged lines. */
function joinParagraphs(help: string): string {
  return help.replace(/(?<=^\S.*[^:\s])\n(?=[^\s-])/gm, " ");
}

/** Wider than most; where there is no room, a longer name has its summary on the next line. */
const maxName = 34;

/** One long name would leave all others' summaries a narrow column. */
function moveLongNames(help: string): string {
  return help.replace(/(?<=^\w+:\n)(?: +\S.* {2,}\S.*\n)+/gm, (section) => {
    const rows = [...section.matchAll(/^( +\S.*?) {2,}(\S.*)\n/gm)];
    const names = rows.map(([, name = ""]) => name);
    const width = Math.max(0, ...names.map(({ length }) => length).filter((length) => length <= maxName));
    return rows
      .map(([, name = "", summary]) =>
        name.length > width
          ? `${name}\n${" ".repeat(width)}  ${summary}\n`
          : `${name.padEnd(width)}  ${summary}\n`,
      )
      .join("");
  });
}

function fitExamples(examples: string, width: number): string {
  return examples
    .split("\n")
    .flatMap((line) => (line.length > width ? continueLine(line, width) : [line]))
    .join("\n");
}

/** Breaks a command between its words, never inside quotes. */
function continueLine(line: string, width: number): string[] {
  const words = line.trimStart().match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const lines: string[] = [];
  let current = " ";
  for (const word of words) {
    const isFirst = current.trim() === "";
    // Two columns are left for the backslash.
    if (isFirst || current.length + 1 + word.length <= width - 2) current += ` ${word}`;
    else {
      lines.push(`${current} \\`);
      current = `      ${word}`;
    }
  }
  return [...lines, current];
}
