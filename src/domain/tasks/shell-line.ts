/** Quoted text and escaped characters, which cannot end a command; an open quote extends to the end. */
const shielded = /\\[\s\S]|"(?:[^"\\]|\\[\s\S])*(?:"|$)|'[^']*(?:'|$)/g;

/** A command that only sets up the shell for the following ones (folder, variables, program versions), with its separator. */
const settingUp =
  /^((?:(?:cd|pushd|source|\.|export|set)\s|(?:nvm|fnm|conda|mamba|micromamba)\s(?:use|activate)\b)(?:"[^"]*"|'[^']*'|\$\([^)]*\)|\$(?!\()|[^;&|"'$\n])*)(?:((?:&&|;)\s*)|$)/;

/** Whether a command only sets up the shell for the following ones. */
export function isSetUp(command: string): boolean {
  const found = settingUp.exec(command);
  return found !== null && found[2] === undefined;
}

/** A command line without the leading commands that only set up the shell. */
interface ShellLine {
  /** Commands that load variables from files or programs, as written: `set -a; source .env; `. */
  loading: string;
  /** Variables that are exported: `TZ=UTC `. */
  exported: string;
  rest: string;
}

export function readShellLine(command: string): ShellLine {
  const line: ShellLine = { loading: "", exported: "", rest: command };
  for (;;) {
    const [whole, setUp = "", link] = settingUp.exec(line.rest) ?? [];
    if (whole === undefined || link === undefined) return line;
    line.rest = line.rest.slice(whole.length);
    const assigned = /^export\s+([A-Z_][A-Z0-9_]*=.*)$/.exec(setUp.trimEnd())?.[1];
    if (assigned !== undefined) line.exported += `${assigned} `;
    else if (!/^(?:cd|pushd)\s/.test(setUp)) line.loading += setUp + link;
  }
}

/** Syntax with which only a part of the line may run, or other commands as well. */
const branching = /[;(){}`\n]|\|\||<<|(?<![&>])&(?![&>])/;

/** The commands of a line that stops at the first failure: if the line succeeded, all of them did. */
export function chainOf(command: string): string[] {
  const kept: string[] = [];
  const bare = command.replace(shielded, (text) => `\0${kept.push(text) - 1}\0`);
  if (branching.test(bare)) return [command];
  return bare
    .split("&&")
    .map((part) => part.trim().replace(/\0(\d+)\0/g, (_, index: string) => kept[Number(index)] ?? ""));
}

const mostLines = 5;
const isBlock = /<<|^(?:for|while|until|if|case|function)\b|[({]$/m;

/** Joins a few commands on separate lines into one; for a longer script, returns its first command. */
export function inOneLine(script: string): string {
  if (!script.includes("\n")) return script;
  const isOne = isBlock.test(script);
  const lines = (isOne ? script : script.replace(/\\\n\s*/g, ""))
    .split("\n")
    .map(withoutComment)
    .filter((line) => line !== "");
  const isLong = isOne || lines.length > mostLines || lines.some(hasOpenQuote);
  const kept = isLong ? lines.slice(0, lines.findIndex((line) => !isSetUp(line)) + 1) : lines;
  return joined(kept) || (script.split("\n", 1)[0] ?? "");
}

function withoutComment(line: string): string {
  const bare = line.trim();
  if (bare.startsWith("#")) return "";
  return /["']/.test(bare) ? bare : bare.replace(/\s#.*$/, "");
}

function hasOpenQuote(line: string): boolean {
  return /["']/.test(line.replace(/\\.|"(?:[^"\\]|\\.)*"|'[^']*'/g, ""));
}

function joined(lines: readonly string[]): string {
  return lines
    .map((line, place) => (place === lines.length - 1 ? line : `${line}${linkAfter(line)}`))
    .join(" ");
}

function linkAfter(line: string): string {
  if (/(?:&&|\|\||[|&;])$/.test(line)) return "";
  return isSetUp(line) ? " &&" : ";";
}
