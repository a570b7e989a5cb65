import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findProgram } from "../agents/find-program.js";
import type { Environment } from "../domain/environment.js";

/** The name under which agents start it: on some machines `ralph` is another program. */
export const programName = "ralph-memory";

/** How agents start this Ralph. */
export interface OwnProgram {
  /** The words that start it, before its arguments. */
  words: readonly string[];
  /** The file of the command, with links resolved. */
  file: string;
  /** The path of the Node.js that runs it. */
  node: string;
  /** Whether it is called by name, which works on every machine with it on the PATH. */
  isByName: boolean;
}

/** The bare name if that starts this program, or else the full paths of Node and of the command. */
export function findOwnProgram(options: {
  file: string;
  node: string;
  folder: string;
  environment: Environment;
}): OwnProgram {
  const file = realPath(options.file) ?? options.file;
  const found = findProgram(programName, { folder: options.folder, searchPath: options.environment.PATH });
  const isByName = found !== undefined && isThis(found, file);
  return { words: isByName ? [programName] : [options.node, file], file, node: options.node, isByName };
}

/** Whether a file on the PATH is this program: a link to it, or a small script such as package managers write. */
export function isThis(path: string, file: string): boolean {
  const real = realPath(path);
  if (real === file) return true;
  if (real === undefined) return false;
  const script = startOf(real);
  const isScript = /^#!(?!\/usr\/bin\/env node)/.test(script) || /\.(?:cmd|bat)$/i.test(real);
  const named = script.replaceAll("\\", "/");
  return isScript && ["ralph-memory/dist/cli/main.cjs", file].some((each) => named.includes(each));
}

/** A warning if `ralph` starts another program, whose file is read but never run. */
export function otherRalph(
  { file }: OwnProgram,
  { root, environment }: { root: string; environment: Environment },
): string[] {
  const found = findProgram("ralph", { folder: root, searchPath: environment.PATH });
  if (found === undefined || isThis(found, file) || isOwnFile(realPath(found) ?? "")) return [];
  return [
    `ralph on the PATH is another program (${found}): type ${programName} for this one, or put its folder first`,
  ];
}

/**
 * A hook's command line for a shell. However the program ends, and if it is missing, the agent sees status 0: some statuses block the
 * user's prompt. Windows PowerShell, in which Claude Code and Gemini CLI may run hooks, lacks `||`; cmd, in which Codex does, lacks `;`.
 */
export function hookCommand({ words }: OwnProgram, agent: string, event: string): string {
  return `${quoteWords([...words, "hook", agent, event])}${agent === "codex" ? " ||" : ";"} exit 0`;
}

/** The words with which a hook's command line starts a program, without the handling of its status. */
export function wordsOfHook(command: string): string[] {
  return splitWords(command.replace(/(?:;| \|\|) exit 0$/, "")) ?? [];
}

/** The arguments that a command line passes to a hook of Ralph, whatever its version and place; undefined if it calls none. */
export function argumentsOfHook(command: string, agent: string): string[] | undefined {
  const words = wordsOfHook(command);
  const at = words.indexOf("hook");
  const isCall = at > 0 && words[at + 1] === agent && isRalph(words.slice(0, at));
  return isCall ? words.slice(at + 2) : undefined;
}

/** Whether these words start Ralph as an MCP server, however they were written. */
export function isServerCommand(words: readonly string[]): boolean {
  const single = words.flatMap((word) => word.split(/\s+/));
  const at = single.findIndex(namesRalph);
  return at !== -1 && single.includes("mcp", at + 1);
}

/** Whether they do so in the form that setup writes, whatever the version and place. */
export function isOwnServerCommand(words: readonly string[]): boolean {
  return words.at(-1) === "mcp" && isRalph(words.slice(0, -1));
}

/** The command, its file, or the package that a runner such as npx starts. */
function namesRalph(word: string): boolean {
  return /^ralph(?:-memory)?(?:\.cmd|\.exe|@.*)?$/.test(basename(word)) || isOwnFile(word);
}

/** Matches any installation, also on Windows. */
function isOwnFile(path: string): boolean {
  return path.replaceAll("\\", "/").endsWith("dist/cli/main.cjs");
}

function isRalph(words: readonly string[]): boolean {
  const [program = "", script] = words;
  if (script === undefined) return /^ralph(?:-memory)?(?:\.cmd|\.exe)?$/.test(basename(program));
  const isNode = /^node(?:\d*|\.exe)$/.test(basename(program));
  return words.length === 2 && isNode && (/^ralph(?:-memory)?$/.test(basename(script)) || isOwnFile(script));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function startOf(path: string): string {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(8192);
      return bytes.toString("utf8", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

/** The package's folder, with its skill and plugins. */
export function packageFolder(file: string): string {
  return join(dirname(file), "../..");
}

/** Quotes words for a POSIX shell. */
export function quoteWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}

const word = /(?:[^\s'"\\$`;&|<>()*?[\]{}~#!]|\\[^\n]|'[^']*'|"(?:[^"\\$`!]|\\["\\$`])*")+/y;

/** The words of a command that calls one program, as a shell reads them; undefined if it does anything else. */
export function splitWords(command: string): string[] | undefined {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (command[at] === " " || command[at] === "\t") at += 1;
    if (at === command.length) return words;
    word.lastIndex = at;
    const found = word.exec(command)?.[0];
    if (found === undefined) return undefined;
    words.push(unquote(found));
    at += found.length;
    if (at < command.length && command[at] !== " " && command[at] !== "\t") return undefined;
  }
}

function unquote(text: string): string {
  return text.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) => {
    if (single !== undefined) return single;
    return double === undefined ? escaped : double.replace(/\\(["\\$`])/g, "$1");
  });
}
