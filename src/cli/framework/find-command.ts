import type { RalphError } from "../../domain/ralph-error.js";
import { nearest } from "../../text/nearest.js";
import { type Command, wrongUse } from "./command.js";
import { type CommandGroup, type CommandTree, commandTree } from "./command-table.js";
import { globalOptions } from "./parse-arguments.js";

export interface FoundCommand {
  path: string[];
  /** The last group on the path. */
  group: CommandGroup;
  /** Undefined if the words end with the group. */
  command?: Command;
  /** Words after the command's name, and global options before it. */
  rest: string[];
}

const root: CommandGroup = {
  summary: "memory for coding agents that work in loops",
  commands: commandTree,
};

/** Finds the command that the words name; global options may come first. */
export async function findCommand(argv: readonly string[]): Promise<FoundCommand> {
  const path: string[] = [];
  const rest: string[] = [];
  let group = root;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    const isOption = word.startsWith("-");
    const name = nameIn(group.commands, word);
    const next = isOption ? undefined : ownEntry(group.commands, name);
    if (typeof next === "function")
      return {
        path: [...path, name],
        group,
        command: await next(),
        rest: [...rest, ...argv.slice(index + 1)],
      };
    if (next !== undefined) {
      path.push(name);
      group = next;
    } else if (word === "help") rest.push("--help");
    else if (group.defaultCommand !== undefined) {
      rest.push(...argv.slice(index));
      break;
    } else if (isOption) {
      rest.push(word);
      if (takesValue(word)) {
        index += 1;
        rest.push(...argv.slice(index, index + 1));
      }
    } else throw unknownCommand(path, word, group);
  }
  const command = await group.defaultCommand?.();
  return { path, group, ...(command && { command }), rest };
}

/** What shells and other tools call the same command. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  ls: ["list"],
  rm: ["delete", "remove"],
  remove: ["delete"],
  delete: ["remove"],
};

/** The name of a command by one of its names; the word itself if there is none. */
function nameIn(tree: CommandTree, word: string): string {
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
  const isVersion = path.length === 0 && word === "version";
  const near = isVersion ? "--version" : nearest(word, Object.keys(group.commands));
  const name = ["ralph", ...path].join(" ");
  return wrongUse(
    `Unknown command: ${name} ${word}`,
    near === undefined ? `"${name} --help" lists the commands` : `did you mean "${near}"?`,
  );
}
