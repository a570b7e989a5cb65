import { linkRelations } from "../../domain/knowledge/link.js";
import { clipAtWord } from "../../text/clip-at-word.js";
import {
  type ArgumentSpec,
  type Command,
  formats,
  type OptionSpec,
  type OptionSpecs,
} from "../framework/command.js";
import { type CommandGroup, commandTree } from "../framework/command-table.js";
import { findCommand } from "../framework/find-command.js";
import { globalOptions } from "../framework/parse-arguments.js";

export interface Candidate {
  value: string;
  summary?: string;
}

export type RecordKind =
  | "task"
  | "resumable"
  | "stoppable"
  | "note"
  | "learning"
  | "staged"
  | "handoff"
  | "skill"
  | "setting"
  | "agent";

/** Candidates; for names of files and folders, the shell completes them itself. */
type Completed = Candidate[] | "files" | "folders";

interface Completing {
  /** Whether the shell shows summaries; those of commands take time to load. */
  isDescribed: boolean;
  findIds(kind: RecordKind, root: string | undefined): Promise<Candidate[]>;
}

/** What the last word may become. */
export async function completeWords(
  words: readonly string[],
  { isDescribed, findIds }: Completing,
): Promise<Completed> {
  // A shell that splits words at `=` wants the value alone.
  const parts = words.filter((word, index) => word !== "=" || index === words.length - 1);
  const current = parts.at(-1) === "=" ? "" : (parts.at(-1) ?? "");
  const found = await findCommand(parts.slice(0, -1)).catch(() => undefined);
  if (found === undefined) return [];
  const { path, group, command, rest } = found;
  const specs: OptionSpecs = { ...command?.options, ...globalOptions };
  const find = (kind: RecordKind) => findIds(kind, rootIn(rest));
  const pending = pendingOption(rest, specs);
  if (pending !== undefined) return completeValue(current, "", await valuesOf(pending, command, path, find));
  if (rest.includes("--")) return [];
  const [, flag = "", value] = /^(--[a-z-]+)=(.*)$/.exec(current) ?? [];
  const spec = specs[flag.slice(2)];
  if (value !== undefined && spec !== undefined) {
    const option = { name: flag.slice(2), spec };
    return completeValue(value, `${flag}=`, await valuesOf(option, command, path, find));
  }
  if (current.startsWith("-")) {
    const names = Object.entries(specs).map(([name, { summary }]) => ({ value: `--${name}`, summary }));
    return startingWith(current, names);
  }
  if (command === undefined) return startingWith(current, await commandNames(group, isDescribed));
  const given = wordsOf(rest, specs).length;
  const last = command.arguments.at(-1);
  const argument = command.arguments[given] ?? (last?.isRepeated ? last : undefined);
  const own = argument === undefined ? [] : await candidatesOf(argument, path, find);
  if (!Array.isArray(own)) return own;
  const isGroupToo = given === 0 && group.defaultCommand !== undefined && group.commands !== commandTree;
  return startingWith(current, [...own, ...(isGroupToo ? await commandNames(group, isDescribed) : [])]);
}

async function commandNames({ commands }: CommandGroup, isDescribed: boolean): Promise<Candidate[]> {
  return Promise.all(
    Object.entries(commands).map(async ([value, entry]) => {
      if (!isDescribed) return { value };
      return { value, summary: (typeof entry === "function" ? await entry() : entry).summary };
    }),
  );
}

interface NamedOption {
  name: string;
  spec: OptionSpec;
}

/** The option whose value is being typed. */
function pendingOption(rest: readonly string[], specs: OptionSpecs): NamedOption | undefined {
  const flag = rest.at(-1) ?? "";
  if (!/^-[^=]+$/.test(flag)) return undefined;
  const found = Object.entries(specs).find(
    ([name, { short, aliases = [] }]) =>
      flag === `-${short}` || [name, ...aliases].some((each) => flag === `--${each}`),
  );
  if (found === undefined) return undefined;
  const [name, spec] = found;
  const takesNext = spec.kind !== "flag" && !spec.isInline && spec.bareValue === undefined;
  return takesNext ? { name, spec } : undefined;
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

type Find = (kind: RecordKind) => Promise<Candidate[]>;

const named = (values: readonly string[]): Candidate[] => values.map((value) => ({ value }));

async function valuesOf(
  { name, spec }: NamedOption,
  command: Command | undefined,
  [group]: readonly string[],
  find: Find,
): Promise<Completed> {
  if (name === "format") return named(command?.formats ?? formats);
  if (spec.values !== undefined) return named(spec.values);
  const { placeholder = "" } = spec;
  if (/^(?:DIR|FOLDERS?)$/.test(placeholder)) return "folders";
  if (/^(?:FILES?|PATH)$/.test(placeholder)) return "files";
  if (group === "run" && name === "agent") return find("agent");
  if (name === "task" || name === "related") return find("task");
  if (group === "learnings" && ["accept", "reject", "edit"].includes(name)) return find("staged");
  return [];
}

function completeValue(typed: string, lead: string, values: Completed): Completed {
  if (!Array.isArray(values)) return values;
  // In a comma list the last piece is being typed.
  const head = typed.slice(0, typed.lastIndexOf(",") + 1);
  const chosen = new Set(head.split(","));
  const left = values.filter(({ value }) => !chosen.has(value));
  const matching = startingWith(typed.slice(head.length), left);
  return matching.map(({ value, ...others }) => ({ value: lead + head + value, ...others }));
}

/** The records that an argument may name. */
async function candidatesOf(
  { name, values, suggestions = [] }: ArgumentSpec,
  [group = "", verb = ""]: readonly string[],
  find: Find,
): Promise<Completed> {
  if (values !== undefined) return named(values);
  if (suggestions.length > 0) return named(suggestions);
  if (name === "task")
    return find(group === "resume" ? "resumable" : group === "stop" ? "stoppable" : "task");
  if (group === "learnings" && name === "id")
    return find(["promote", "reject"].includes(verb) ? "staged" : "learning");
  if (group === "link" && name === "relation") return named(linkRelations);
  if (group === "link") {
    const kinds: RecordKind[] = ["task", "learning", "note", "skill"];
    return (await Promise.all(kinds.map(find))).flat();
  }
  const kind = recordArguments[`${group} ${name}`];
  if (kind !== undefined) return find(kind);
  if (/^(?:dir|folder)$/.test(name)) return "folders";
  return /^(?:file|files|path|source|store)$/.test(name) ? "files" : [];
}

const recordArguments: Readonly<Record<string, RecordKind>> = {
  "memory id": "note",
  "handoff id": "handoff",
  "skill name": "skill",
  "config key": "setting",
};

const maxSummary = 60;

function startingWith(typed: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .filter(({ value }) => value.startsWith(typed))
    .map(({ value, summary }) => ({
      value,
      ...(summary && { summary: clipAtWord(summary.replace(/\s+/g, " "), maxSummary) }),
    }));
}
