import type { Environment } from "../../domain/environment.js";
import type { Memory } from "../../memory/memory.js";
import type { OpenMemoryOptions } from "../../memory/project-session.js";
import type { Terminal } from "../output/terminal/terminal.js";

export const formats = ["table", "json", "markdown", "quiet"] as const;

export type Format = (typeof formats)[number];

export interface ArgumentSpec {
  name: string;
  summary: string;
  isOptional?: true;
  /** The last one only: all words that are left. */
  isRepeated?: true;
}

/** `flag` takes no value, `list` takes words with commas between them, `texts` is given once for each text. */
export interface OptionSpec {
  kind: "text" | "flag" | "number" | "list" | "texts";
  summary: string;
  short?: string;
  placeholder?: string;
  values?: readonly string[];
  /** What it stands for when no value follows. */
  bareValue?: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type OptionValue<Spec extends OptionSpec> = Spec["kind"] extends "flag"
  ? boolean
  :
      | (Spec["kind"] extends "number" ? number : Spec["kind"] extends "list" | "texts" ? string[] : string)
      | undefined;

export type OptionValues<Specs extends OptionSpecs> = { [Name in keyof Specs]: OptionValue<Specs[Name]> };

export type OpenOptions = Pick<OpenMemoryOptions, "owner" | "overrides">;

/** What a command is given: its words already checked against its description. */
export interface Invocation<Specs extends OptionSpecs> {
  arguments: readonly string[];
  options: OptionValues<Specs>;
  format: Format;
  terminal: Terminal;
  /** Opens the memory that the command works on; it is closed after the command. */
  openMemory(options?: OpenOptions): Promise<Memory>;
  environment: Environment;
}

/** A command is data: what it is called with, how it is explained, and what it does. */
export interface Command<Specs extends OptionSpecs = OptionSpecs> {
  summary: string;
  description?: string;
  arguments: readonly ArgumentSpec[];
  options: Specs;
  /** The first one is the default. */
  formats: readonly Format[];
  examples: readonly string[];
  /** The exit status, 0 when nothing is returned. */
  run(invocation: Invocation<Specs>): Promise<number | undefined>;
}

/** Lets a command's options be known by their names and kinds. */
export function defineCommand<const Specs extends OptionSpecs>(command: Command<Specs>): Command {
  return command as unknown as Command;
}
