/** Quoted text and escaped characters, in which nothing ends a command; an open quote reaches to the end. */
const shielded = /\\[\s\S]|"(?:[^"\\]|\\[\s\S])*(?:"|$)|'[^']*(?:'|$)/g;

/** A command that only sets up the shell for those behind it: its folder, variables, or versions of programs; and what links it to them. */
const settingUp =
  /^((?:(?:cd|pushd|source|\.|export|set)\s|(?:nvm|fnm|conda|mamba|micromamba)\s(?:use|activate)\b)(?:"[^"]*"|'[^']*'|\$\([^)]*\)|\$(?!\()|[^;&|"'$\n])*)(?:((?:&&|;)\s*)|$)/;

/** Whether a command only sets up the shell for what follows it. */
export function isSetUp(command: string): boolean {
  const found = settingUp.exec(command);
  return found !== null && found[2] === undefined;
}

/** A line of commands, without those in front that only set up the shell. */
interface ShellLine {
  /** What sets variables by files or programs, as it was written: `set -a; source .env; `. */
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

/** What may run only a part of a line, or more than it says. */
const branching = /[;(){}`\n]|\|\||<<|(?<![&>])&(?![&>])/;

/** The commands of a line that runs each only if the one before it succeeded: if the line did, all of them did. */
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

/** A few commands one below the other are a line of them; of a longer script, its first command. */
export function inOneLine(script: string): string {
  if (!script.includes("\n")) return script;
  const isOne = isBlock.test(script);
  const lines = (isOne ? script : script.replace(/\\\n\s*/g, ""))
    .split("\n")
    .map(withoutComment)
    .filter((line) => line !== "");
  const isLong = isOne || lines.length > mostLines || lines.some(hasOpenQuote);
  const told = isLong ? lines.slice(0, lines.findIndex((line) => !isSetUp(line)) + 1) : lines;
  return joined(told) || (script.split("\n", 1)[0] ?? "");
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
