import { linkRelations } from "../../domain/knowledge/link.js";
import { clipAtWord } from "../../text/clip-at-word.js";
import {
  type ArgumentSpec,
  type Command,
  formats,
  type OptionSpec,
  type OptionSpecs,
} from "../framework/command.js";
import { type CommandGroup, type CommandTree, commandTree } from "../framework/command-table.js";
import { nameIn } from "../framework/find-command.js";
import { globalOptions } from "../framework/parse-arguments.js";

export interface Candidate {
  value: string;
  summary?: string;
}

export const recordKinds = [
  "task",
  "resumable",
  "stoppable",
  "note",
  "learning",
  "staged",
  "handoff",
  "skill",
  "setting",
  "agent",
] as const;

export type RecordKind = (typeof recordKinds)[number];

/** The shell completes names of files and folders itself. */
type NamesFollow = "files" | "folders";

interface Completing {
  /** Whether the shell shows summaries; those of commands take time to load. */
  isDescribed: boolean;
  findIds(kind: RecordKind, root: string | undefined): Promise<Candidate[]>;
}

/** What the last word may become. */
export async function completeWords(words: readonly string[], completing: Completing): Values {
  // A shell that takes `=` for a word of its own wants the value alone.
  const parts = words.filter((word, index) => word !== "=" || index === words.length - 1);
  const current = parts.at(-1) === "=" ? "" : (parts.at(-1) ?? "");
  const before = parts.slice(0, -1);
  const { path, group, command, rest } = await walk(before);
  const specs: OptionSpecs = { ...command?.options, ...globalOptions };
  const root = rootIn(rest);
  const pending = pendingOption(rest, specs);
  if (pending !== undefined)
    return completeValue(current, "", valuesOf(pending, command, path, root, completing));
  if (rest.includes("--")) return [];
  const [, flag = "", value] = /^(--[a-z-]+)=(.*)$/.exec(current) ?? [];
  const inline = specs[flag.slice(2)];
  if (value !== undefined && inline !== undefined) {
    const option = { name: flag.slice(2), spec: inline };
    return completeValue(value, `${flag}=`, valuesOf(option, command, path, root, completing));
  }
  if (current.startsWith("-")) return startingWith(current, optionNames(specs));
  if (command === undefined) return startingWith(current, await commandNames(group, completing.isDescribed));
  const given = wordsOf(rest, specs).length;
  const argument =
    command.arguments[given] ?? (command.arguments.at(-1)?.isRepeated ? command.arguments.at(-1) : undefined);
  const names = group.commands === commandTree ? [] : await commandNames(group, completing.isDescribed);
  const isGroupToo = given === 0 && group.defaultCommand !== undefined;
  const own = argument === undefined ? [] : await candidatesOf(argument, path, root, completing);
  if (!Array.isArray(own)) return own;
  return startingWith(current, [...own, ...(isGroupToo ? names : [])]);
}

interface Walked {
  path: string[];
  group: CommandGroup;
  command?: Command;
  /** Words behind the command's name. */
  rest: string[];
}

async function walk(words: readonly string[]): Promise<Walked> {
  const path: string[] = [];
  let group: CommandGroup = { summary: "", commands: commandTree };
  const skipped: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word.startsWith("-") || word === "help") {
      skipped.push(word);
      if (word === "--root" || word === "--format" || word === "--as") {
        index += 1;
        skipped.push(...words.slice(index, index + 1));
      }
      continue;
    }
    const name = nameIn(group.commands, word);
    const next = Object.hasOwn(group.commands, name) ? group.commands[name] : undefined;
    if (next === undefined) {
      if (group.defaultCommand === undefined) return { path, group: { ...group, commands: {} }, rest: [] };
      return {
        path,
        group,
        command: await group.defaultCommand(),
        rest: [...skipped, ...words.slice(index)],
      };
    }
    path.push(name);
    if (typeof next === "function")
      return { path, group, command: await next(), rest: [...skipped, ...words.slice(index + 1)] };
    group = next;
  }
  if (group.defaultCommand === undefined) return { path, group, rest: skipped };
  return { path, group, command: await group.defaultCommand(), rest: skipped };
}

async function commandNames({ commands }: CommandGroup, isDescribed: boolean): Promise<Candidate[]> {
  return Promise.all(
    Object.entries(commands).map(async ([value, entry]) => ({
      value,
      ...(isDescribed && { summary: await summaryOf(entry) }),
    })),
  );
}

async function summaryOf(entry: CommandTree[string]): Promise<string> {
  return typeof entry === "function" ? (await entry()).summary : entry.summary;
}

function optionNames(specs: OptionSpecs): Candidate[] {
  return Object.entries(specs).map(([name, { summary }]) => ({ value: `--${name}`, summary }));
}

interface NamedOption {
  name: string;
  spec: OptionSpec;
}

/** The option whose value is being typed. */
function pendingOption(rest: readonly string[], specs: OptionSpecs): NamedOption | undefined {
  const option = namedBy(rest.at(-1) ?? "", specs);
  const isWaiting = option !== undefined && option.spec.kind !== "flag" && !option.spec.isInline;
  return isWaiting && option.spec.bareValue === undefined ? option : undefined;
}

function namedBy(flag: string, specs: OptionSpecs): NamedOption | undefined {
  if (!/^-[^=]+$/.test(flag)) return undefined;
  const found = Object.entries(specs).find(
    ([name, { short, aliases = [] }]) =>
      flag === `--${name}` || flag === `-${short}` || aliases.some((alias) => flag === `--${alias}`),
  );
  return found && { name: found[0], spec: found[1] };
}

/** The arguments among the words. */
function wordsOf(rest: readonly string[], specs: OptionSpecs): string[] {
  return rest.filter(
    (word, index) => !word.startsWith("-") && pendingOption(rest.slice(0, index), specs) === undefined,
  );
}

function rootIn(rest: readonly string[]): string | undefined {
  const at = rest.indexOf("--root");
  return at === -1 ? rest.find((word) => word.startsWith("--root="))?.slice(7) : rest[at + 1];
}

type Values = Promise<Candidate[] | NamesFollow>;

async function valuesOf(
  { name, spec }: NamedOption,
  command: Command | undefined,
  path: readonly string[],
  root: string | undefined,
  { findIds }: Completing,
): Values {
  if (name === "format") return (command?.formats ?? formats).map((value) => ({ value }));
  if (spec.values !== undefined) return spec.values.map((value) => ({ value }));
  const { placeholder = "" } = spec;
  if (/^(?:DIR|FOLDERS?)$/.test(placeholder)) return "folders";
  if (/^(?:FILES?|PATH)$/.test(placeholder)) return "files";
  if (path[0] === "run" && name === "agent") return findIds("agent", root);
  if (name === "task" || name === "related") return findIds("task", root);
  if (path[0] === "learnings" && ["accept", "reject", "edit"].includes(name)) return findIds("staged", root);
  return [];
}

async function completeValue(typed: string, lead: string, values: Values): Values {
  const found = await values;
  if (!Array.isArray(found)) return found;
  // In a comma list the last piece is being typed.
  const head = typed.slice(0, typed.lastIndexOf(",") + 1);
  const chosen = new Set(head.split(","));
  const left = found.filter(({ value }) => !chosen.has(value));
  const matching = startingWith(typed.slice(head.length), left);
  return matching.map(({ value, ...others }) => ({ value: lead + head + value, ...others }));
}

/** Which records an argument names. */
async function candidatesOf(
  { name, values, suggestions = [] }: ArgumentSpec,
  path: readonly string[],
  root: string | undefined,
  { findIds }: Completing,
): Values {
  if (values !== undefined) return values.map((value) => ({ value }));
  const [group = "", verb = ""] = path;
  if (suggestions.length > 0) return suggestions.map((value) => ({ value }));
  if (name === "task")
    return findIds(group === "resume" ? "resumable" : group === "stop" ? "stoppable" : "task", root);
  if (group === "memory" && name === "id") return findIds("note", root);
  if (group === "learnings" && ["id", "ids"].includes(name))
    return findIds(["promote", "reject"].includes(verb) ? "staged" : "learning", root);
  if (group === "handoff" && name === "id") return findIds("handoff", root);
  if (group === "skill" && name === "name") return findIds("skill", root);
  if (group === "config" && name === "key") return findIds("setting", root);
  if (group === "link") {
    if (name === "relation") return linkRelations.map((value) => ({ value }));
    const kinds: RecordKind[] = ["task", "learning", "note", "skill"];
    return (await Promise.all(kinds.map((kind) => findIds(kind, root)))).flat();
  }
  if (/^(?:dir|folder)$/.test(name)) return "folders";
  return /^(?:file|files|path|source|store)$/.test(name) ? "files" : [];
}

const maxSummary = 60;

function startingWith(typed: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .filter(({ value }) => value.startsWith(typed))
    .map(({ value, summary }) => ({
      value,
      ...(summary && { summary: clipAtWord(summary.replace(/\s+/g, " "), maxSummary) }),
    }));
}
