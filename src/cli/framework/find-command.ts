import type { RalphError } from "../../domain/ralph-error.js";
import { nearest } from "../../text/nearest.js";
import { type Command, wrongUse } from "./command.js";
import { type CommandGroup, type CommandTree, commandTree } from "./command-table.js";
import { globalOptions } from "./parse-arguments.js";

export interface FoundCommand {
  path: string[];
  command: Command;
  /** Words after the command's name, and global options before it. */
  rest: string[];
}

export interface FoundGroup {
  path: string[];
  group: CommandGroup;
  rest: string[];
}

const root: CommandGroup = {
  summary: "memory for coding agents that work in loops",
  commands: commandTree,
};

/** Finds the command that the words name; global options may come first. */
export async function findCommand(argv: readonly string[]): Promise<FoundCommand | FoundGroup> {
  const path: string[] = [];
  const rest: string[] = [];
  let group = root;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    const isDefault = group.defaultCommand !== undefined && ownEntry(group.commands, word) === undefined;
    if (isDefault && word !== "help") return defaultOf(group, path, [...rest, ...argv.slice(index)]);
    if (word.startsWith("-")) {
      rest.push(word);
      if (takesValue(word)) {
        index += 1;
        rest.push(...argv.slice(index, index + 1));
      }
      continue;
    }
    if (word === "help") {
      rest.push("--help");
      continue;
    }
    const name = nameIn(group.commands, word);
    const next = ownEntry(group.commands, name);
    if (next === undefined) throw unknownCommand(path, word, group);
    path.push(name);
    if (typeof next === "function")
      return { path, command: await next(), rest: [...rest, ...argv.slice(index + 1)] };
    group = next;
  }
  return defaultOf(group, path, rest);
}

async function defaultOf(
  group: CommandGroup,
  path: string[],
  rest: string[],
): Promise<FoundCommand | FoundGroup> {
  return group.defaultCommand === undefined
    ? { path, group, rest }
    : { path, command: await group.defaultCommand(), rest };
}

/** What shells and other tools call the same command. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  ls: ["list"],
  rm: ["delete", "remove"],
  remove: ["delete"],
  delete: ["remove"],
};

/** The name of a command by one of its names; the word itself if there is none. */
export function nameIn(tree: CommandTree, word: string): string {
  if (ownEntry(tree, word) !== undefined || !Object.hasOwn(otherNames, word)) return word;
  return otherNames[word]?.find((name) => ownEntry(tree, name) !== undefined) ?? word;
}

function ownEntry(tree: CommandTree, word: string): CommandTree[string] | undefined {
  return Object.hasOwn(tree, word) ? tree[word] : undefined;
}

function takesValue(word: string): boolean {
  const spec = Object.entries(globalOptions).find(([name]) => word === `--${name}`)?.[1];
  return spec !== undefined && spec.kind !== "flag" && !("isInline" in spec);
}

function unknownCommand(path: readonly string[], word: string, group: CommandGroup): RalphError {
  const near =
    path.length === 0 && word === "version" ? "--version" : nearest(word, Object.keys(group.commands));
  const known = ["ralph", ...path].join(" ");
  return wrongUse(
    `Unknown command: ${["ralph", ...path, word].join(" ")}`,
    near === undefined ? `"${known} --help" lists the commands` : `did you mean "${near}"?`,
  );
}
