import type { Environment } from "../../domain/environment.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Memory } from "../../memory/memory.js";
import type { OpenMemoryOptions } from "../../memory/project/open-project.js";
import type { Terminal } from "../output/terminal/terminal.js";
import type { Output } from "./print.js";

export const formats = ["table", "json", "markdown", "quiet"] as const;

export type Format = (typeof formats)[number];

export interface ArgumentSpec {
  name: string;
  summary: string;
  isOptional?: true;
  values?: readonly string[];
  /** What it often is; other words are accepted, too. */
  suggestions?: readonly string[];
  /** A word such as -5 is a value of it, and no option. */
  mayBeNegative?: true;
  /** Takes all remaining words; last argument only. */
  isRepeated?: true;
}

/** `flag` takes no value, `list` takes comma-separated words, `texts` can be repeated. */
export interface OptionSpec {
  kind: "text" | "flag" | "number" | "list" | "texts";
  summary: string;
  short?: string;
  placeholder?: string;
  values?: readonly string[];
  /** Used when no value follows. */
  bareValue?: string;
  /** A value is only taken from `--name=value`, never from the next word. */
  isInline?: true;
  /** Other names, which help does not list. */
  aliases?: readonly string[];
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type OptionValue<Spec extends OptionSpec> = Spec["kind"] extends "flag"
  ? boolean
  :
      | (Spec["kind"] extends "number" ? number : Spec["kind"] extends "list" | "texts" ? string[] : string)
      | undefined;

export type OptionValues<Specs extends OptionSpecs> = { [Name in keyof Specs]: OptionValue<Specs[Name]> };

type OpenOptions = Pick<OpenMemoryOptions, "owner" | "overrides" | "isForgiving" | "root" | "patienceMs">;

/** What a command is called with, already parsed and checked. */
export interface Invocation<Specs extends OptionSpecs> {
  arguments: readonly string[];
  options: OptionValues<Specs>;
  format: Format;
  terminal: Terminal;
  /** Prints what the format asks for. */
  print(output: Output): void;
  /** The memory is closed when the command ends. */
  openMemory(options?: OpenOptions): Promise<Memory>;
  environment: Environment;
  /** What `--root` says. */
  root: string | undefined;
  /** Ralph's version. */
  version: string;
}

export interface Command<Specs extends OptionSpecs = OptionSpecs> {
  summary: string;
  description?: string;
  arguments: readonly ArgumentSpec[];
  options: Specs;
  /** The first one is the default. */
  formats: readonly Format[];
  examples: readonly string[];
  /** Its output may be longer than the screen, and is then shown by a pager. */
  isLong?: true;
  /** Returns the exit code; undefined means 0. */
  run(invocation: Invocation<Specs>): Promise<number | undefined>;
  /** Instead of an error, also for words that it does not take; returns the exit code. */
  onFault?(fault: unknown, terminal: Terminal, environment: Environment): Promise<number>;
}

type Optional = "arguments" | "options" | "formats";

/** What most commands have in common can be left out. */
type CommandDefinition<Specs extends OptionSpecs> = Omit<Command<Specs>, Optional> &
  Partial<Pick<Command<Specs>, Optional>>;

/** Infers the types of a command's options. */
export function defineCommand<const Specs extends OptionSpecs = Record<never, never>>(
  definition: CommandDefinition<Specs>,
): Command {
  return { arguments: [], options: {}, formats: ["table", "json"], ...definition } as unknown as Command;
}

export function wrongUse(message: string, hint?: string): RalphError {
  return new RalphError("wrong-use", message, hint === undefined ? {} : { hint });
}
