import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findProgram } from "../../agents/find-program.js";
import type { Environment } from "../../domain/environment.js";
import { quoteWords, splitWords } from "./shell-words.js";

/** How agents start this Ralph. */
export interface OwnProgram {
  /** The words that start it, before its own arguments. */
  words: readonly string[];
  /** The file of the command, with all links resolved. */
  file: string;
  /** The Node that runs it. */
  node: string;
  /** Whether it is called by name, which works on every machine that has it on its PATH. */
  isByName: boolean;
}

/** The name alone if that is this program, or else the full paths of Node and of the command. */
export function findOwnProgram(options: {
  file: string;
  node: string;
  folder: string;
  environment: Environment;
}): OwnProgram {
  const file = realPath(options.file) ?? options.file;
  const found = findProgram("ralph", { folder: options.folder, searchPath: options.environment.PATH });
  const isByName = found !== undefined && isThis(found, file);
  return { words: isByName ? ["ralph"] : [options.node, file], file, node: options.node, isByName };
}

/** A name on the PATH leads to the command by links, or by a small script that a package manager wrote. */
export function isThis(path: string, file: string): boolean {
  const real = realPath(path);
  if (real === file) return true;
  if (real === undefined) return false;
  const script = startOf(real);
  return (
    script.startsWith("#!") &&
    !script.startsWith("#!/usr/bin/env node") &&
    script.includes("ralph-memory/dist/cli/main.cjs")
  );
}

/** The command line of a hook, for a shell. */
export function hookCommand({ words }: OwnProgram, agent: string, event: string): string {
  return quoteWords([...words, "hook", agent, event]);
}

/** What a command line passes to a hook of Ralph's, of whatever version and wherever that is installed; undefined if it calls none. */
export function argumentsOfHook(command: string, agent: string): string[] | undefined {
  const words = splitWords(command) ?? [];
  const at = words.indexOf("hook");
  const isCall = at > 0 && words[at + 1] === agent && isRalph(words.slice(0, at));
  return isCall ? words.slice(at + 2) : undefined;
}

/** Whether these words start Ralph as a server of tools, in whatever way somebody wrote that. */
export function isServerCommand(words: readonly string[]): boolean {
  const single = words.flatMap((word) => word.split(/\s+/));
  const at = single.findIndex(namesRalph);
  return at !== -1 && single.includes("mcp", at + 1);
}

/** Whether they do so as setup writes it, of whatever version and wherever that is installed. */
export function isOwnServerCommand(words: readonly string[]): boolean {
  return words.at(-1) === "mcp" && isRalph(words.slice(0, -1));
}

/** The command, its file, or the package that a runner such as npx is asked for. */
function namesRalph(word: string): boolean {
  return /^ralph(?:\.cmd|\.exe|-memory(?:@.*)?)?$/.test(basename(word)) || isOwnFile(word);
}

/** Wherever it is installed, on Windows too. */
function isOwnFile(path: string): boolean {
  return path.replaceAll("\\", "/").endsWith("dist/cli/main.cjs");
}

function isRalph(words: readonly string[]): boolean {
  const [program = "", script] = words;
  if (script === undefined) return /^ralph(?:\.cmd|\.exe)?$/.test(basename(program));
  const isNode = /^node(?:\d*|\.exe)$/.test(basename(program));
  return words.length === 2 && isNode && (basename(script) === "ralph" || isOwnFile(script));
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

/** The folder of the package, where its skill and plugins are. */
export function packageFolder(file: string): string {
  return join(dirname(file), "../..");
}
