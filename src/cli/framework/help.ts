import { wrapLine } from "../output/terminal/wrap.js";
import type { Command, OptionSpec, OptionSpecs } from "./command.js";
import type { CommandGroup, CommandTree } from "./command-table.js";
import { globalOptions } from "./parse-arguments.js";

type Row = readonly [name: string, summary: string];

export async function renderGroupHelp(
  path: readonly string[],
  group: CommandGroup,
  width = Number.POSITIVE_INFINITY,
): Promise<string> {
  const name = ["ralph", ...path].join(" ");
  const rows = await Promise.all(Object.entries(group.commands).map(([word, entry]) => rowsOf(word, entry)));
  const footer = [`Run "${name} <command> --help" for details and examples.`];
  if (path.length === 0)
    footer.push(
      "",
      "All commands accept --format, --json, --root DIR, --as NAME (who does it), --no-pager, --color and --no-color.",
      'Long output is shown by $RALPH_PAGER, $PAGER or less. "ralph --version" prints the version.',
    );
  return [
    ...wrapLine(`${name}: ${group.summary}`, width),
    ...section("Commands", columns(rows.flat(), width)),
    "",
    ...footer.flatMap((line) => wrapLine(line, width)),
    "",
  ].join("\n");
}

async function rowsOf(name: string, entry: CommandTree[string]): Promise<Row[]> {
  if (typeof entry === "function") {
    const command = await entry();
    return [[usageOf(name, command), command.summary]];
  }
  if (entry.defaultCommand === undefined) return [[`${name} <command>`, entry.summary]];
  const others = Object.entries(entry.commands).map(([word, command]) => rowsOf(`${name} ${word}`, command));
  return [...(await rowsOf(name, entry.defaultCommand)), ...(await Promise.all(others)).flat()];
}

export function renderCommandHelp(
  path: readonly string[],
  command: Command,
  width = Number.POSITIVE_INFINITY,
): string {
  const { summary, description = "", examples } = command;
  const name = ["ralph", ...path].join(" ");
  const usage = usageOf(path.at(-1) ?? "", command);
  const args = command.arguments.map((each): Row => [`<${each.name}>`, each.summary]);
  return [
    ...wrapLine(`${name}: ${summary}`, width),
    ...(description === "" ? [] : ["", ...fitParagraph(description, width)]),
    "",
    ...wrapLine(`Usage: ${["ralph", ...path.slice(0, -1), usage].join(" ")}`, width),
    ...section("Arguments", columns(args, width)),
    ...section("Options", columns(optionRows(command), width)),
    ...section(
      "Examples",
      examples.flatMap((example) => fitExample(`  ${example}`, width)),
    ),
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines];
}

function usageOf(name: string, command: Command): string {
  const words = command.arguments.map(({ name: word, isOptional, isRepeated }) => {
    const shown = isRepeated ? `${word}...` : word;
    return isOptional ? `[${shown}]` : `<${shown}>`;
  });
  const hasOptions = Object.keys(command.options).length > 0;
  return [name, ...words, ...(hasOptions ? ["[options]"] : [])].join(" ");
}

function optionRows({ options, formats }: Command): Row[] {
  const { format, json, root, help } = globalOptions;
  const [fallback] = formats;
  const formatSpec: OptionSpec = { ...format, summary: `${formats.join(", ")} [default: ${fallback}]` };
  const specs: OptionSpecs = {
    ...options,
    ...(formats.length > 1 && { format: formatSpec }),
    ...(formats.includes("json") && { json }),
    ...{ root, help },
  };
  return Object.entries(specs).map(([name, spec]) => {
    const word = spec.placeholder ?? name.toUpperCase();
    const value = spec.bareValue === undefined ? ` <${word}>` : ` [${word}]`;
    const short = spec.short ? `-${spec.short}, ` : "    ";
    const values = spec.values ? ` [${spec.values.join(", ")}]` : "";
    return [`${short}--${name}${spec.kind === "flag" ? "" : value}`, spec.summary + values];
  });
}

/** Wider than most names; where there is no room, the summary of a longer one is on the next line. */
const maxName = 34;

function columns(rows: readonly Row[], width: number): string[] {
  const lengths = rows.map(([name]) => name.length);
  const longest = Math.max(...lengths);
  const isNarrow = rows.some(([, summary]) => longest + summary.length + 4 > width);
  const column = isNarrow ? Math.max(0, ...lengths.filter((length) => length <= maxName)) : longest;
  return rows.flatMap(([name, summary]) =>
    name.length > column
      ? [`  ${name}`, ...wrapLine(`${" ".repeat(column + 4)}${summary}`, width)]
      : wrapLine(`  ${name.padEnd(column)}  ${summary}`, width),
  );
}

/** The lines of a description, filled anew where one of them is too long. */
function fitParagraph(text: string, width: number): string[] {
  const lines = text.split("\n");
  if (lines.every(({ length }) => length <= width)) return lines;
  return text
    .replace(/(?<=[^:\s])\n(?=[^\s-])/g, " ")
    .split("\n")
    .flatMap((line) => wrapLine(line, width));
}

/** Breaks a command between its words, never inside quotes, with backslashes so that it can be copied. */
function fitExample(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const words = line.trimStart().match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const lines: string[] = [];
  let current = " ";
  for (const word of words) {
    // Two columns are left for the backslash.
    if (current.trim() === "" || current.length + 1 + word.length <= width - 2) current += ` ${word}`;
    else {
      lines.push(`${current} \\`);
      current = `      ${word}`;
    }
  }
  return [...lines, current];
}
