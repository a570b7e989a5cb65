import type { NoteOrigin } from "../../domain/knowledge/note.js";
import { type NoteType, noteTypes } from "../../domain/knowledge/note.js";
import type { OptionSpec } from "../framework/command.js";

/** Options that several of the memory commands share. */
export const typeOption = {
  kind: "text",
  short: "t",
  placeholder: "TYPE",
  summary: "only notes of this type",
  values: noteTypes,
} as const satisfies OptionSpec;

export const typesOption = {
  kind: "list",
  short: "t",
  placeholder: "TYPES",
  summary: "only notes of these types, with commas between them",
  values: noteTypes,
} as const satisfies OptionSpec;

export const tagsOption = {
  kind: "list",
  placeholder: "TAGS",
  summary: "only notes with one of these tags, with commas between them",
} as const satisfies OptionSpec;

export const globalOption = {
  kind: "flag",
  summary: "your own notes, which belong to no project",
} as const satisfies OptionSpec;

/** Values have been checked against the option's own list. */
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
