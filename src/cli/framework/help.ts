import { wrapLine } from "../output/terminal/wrap.js";
import type { Command, OptionSpec, OptionSpecs } from "./command.js";
import type { CommandGroup, CommandTree } from "./command-table.js";
import { globalOptions } from "./parse-arguments.js";

export async function renderGroupHelp(path: readonly string[], group: CommandGroup): Promise<string> {
  const rows: [string, string][] = [];
  for (const [name, entry] of Object.entries(group.commands)) rows.push(...(await rowsOf(name, entry)));
  const name = ["ralph", ...path].join(" ");
  return [
    `${name}: ${group.summary}`,
    "",
    "Commands:",
    ...columns(rows),
    "",
    `Run "${name} <command> --help" for details and examples.`,
    ...(path.length === 0
      ? [
          "",
          "All commands accept --format, --json, --root DIR, --as NAME (who does it), --no-pager, --color and --no-color.",
          'Long output is shown by $RALPH_PAGER, $PAGER or less. "ralph --version" prints the version.',
        ]
      : []),
    "",
  ].join("\n");
}

async function rowsOf(name: string, entry: CommandTree[string]): Promise<[string, string][]> {
  if (typeof entry === "function") return [[usageOf(name, await entry()), (await entry()).summary]];
  if (entry.defaultCommand === undefined) return [[`${name} <command>`, entry.summary]];
  const own = await rowsOf(name, entry.defaultCommand);
  const others = await Promise.all(
    Object.entries(entry.commands).map(([word, command]) => rowsOf(`${name} ${word}`, command)),
  );
  return [...own, ...others.flat()];
}

export function renderCommandHelp(path: readonly string[], command: Command): string {
  const name = ["ralph", ...path].join(" ");
  const section = (title: string, lines: string[]) => (lines.length === 0 ? [] : ["", `${title}:`, ...lines]);
  return [
    `${name}: ${command.summary}`,
    ...(command.description ? ["", command.description] : []),
    "",
    `Usage: ${["ralph", ...path.slice(0, -1), usageOf(path.at(-1) ?? "", command)].join(" ")}`,
    ...section(
      "Arguments",
      columns(command.arguments.map((argument) => [`<${argument.name}>`, argument.summary])),
    ),
    ...section("Options", columns(optionRows(command))),
    ...section(
      "Examples",
      command.examples.map((example) => `  ${example}`),
    ),
    "",
  ].join("\n");
}

function usageOf(name: string, command: Command): string {
  const words = command.arguments.map(({ name: word, isOptional, isRepeated }) => {
    const shown = isRepeated ? `${word}...` : word;
    return isOptional ? `[${shown}]` : `<${shown}>`;
  });
  const hasOptions = Object.keys(command.options).length > 0;
  return [name, ...words, ...(hasOptions ? ["[options]"] : [])].join(" ");
}

function optionRows(command: Command): [string, string][] {
  const { format, json, root, help } = globalOptions;
  const [fallback] = command.formats;
  const formatSpec: OptionSpec = {
    ...format,
    summary: `${command.formats.join(", ")} [default: ${fallback}]`,
  };
  const specs: OptionSpecs = {
    ...command.options,
    ...(command.formats.length > 1 && { format: formatSpec }),
    ...(command.formats.includes("json") && { json }),
    ...{ root, help },
  };
  return Object.entries(specs).map(([name, spec]) => {
    const word = spec.placeholder ?? name.toUpperCase();
    const value = spec.bareValue === undefined ? ` <${word}>` : ` [${word}]`;
    const placeholder = spec.kind === "flag" ? "" : value;
    const short = spec.short ? `-${spec.short}, ` : "    ";
    const values = spec.values ? ` [${spec.values.join(", ")}]` : "";
    return [`${short}--${name}${placeholder}`, spec.summary + values];
  });
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

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
