import type { NoteOrigin } from "../../domain/knowledge/note.js";
import { type NoteType, noteTypes } from "../../domain/knowledge/note.js";
import type { OptionSpec } from "../framework/command.js";

export const typeOption = {
  kind: "text",
  short: "t",
  placeholder: "TYPE",
  summary: "memory type",
  values: noteTypes,
} as const satisfies OptionSpec;

export const typesOption = {
  kind: "list",
  short: "t",
  placeholder: "TYPES",
  summary: "only memories of these types, comma-separated",
  values: noteTypes,
} as const satisfies OptionSpec;

export const tagsOption = {
  kind: "list",
  placeholder: "TAGS",
  summary: "only memories with one of these tags, comma-separated",
  aliases: ["tag"],
} as const satisfies OptionSpec;

export const globalOption = {
  kind: "flag",
  summary: "use your global memory instead of the project's",
} as const satisfies OptionSpec;

/** Values were already checked against the option's list. */
export function asType(word: string | undefined): NoteType | undefined {
  return word as NoteType | undefined;
}

export function asTypes(words: readonly string[] | undefined): readonly NoteType[] | undefined {
  return words as readonly NoteType[] | undefined;
}

export function ownerOf({ global }: { global: boolean }): "project" | "user" {
  return global ? "user" : "project";
}

export function originOf({ global }: { global: boolean }): NoteOrigin {
  return ownerOf({ global });
}
