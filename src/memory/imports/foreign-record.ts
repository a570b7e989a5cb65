import type { Learning, StagedLearning } from "../../domain/knowledge/learning.js";
import type { LinkRelation } from "../../domain/knowledge/link.js";
import type { NoteType } from "../../domain/knowledge/note.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";

/** A note from another tool. */
export interface ForeignNote {
  type: NoteType;
  content: string;
  tags: readonly string[];
  /** `YYYY-MM-DD`; defaults to today. */
  created?: string | undefined;
  /** Used if it is a valid note id and free. */
  id?: string | undefined;
}

/** A whole SKILL.md. */
export interface ForeignSkill {
  name: string;
  text: string;
}

/** Between records of the same layout, by their ids there or here. */
export interface ForeignLink {
  from: string;
  to: string;
  relation: LinkRelation;
}

/** The record that an entry of another tool becomes here. `kept`: none; an export writes it back. */
export type ForeignContent =
  | { kind: "task"; record: TaskHistory }
  | { kind: "learning"; record: Learning }
  | { kind: "staged"; record: StagedLearning }
  | { kind: "note"; record: ForeignNote }
  | { kind: "skill"; record: ForeignSkill }
  /** In their published schemas, checked during the import. */
  | { kind: "ledger"; record: unknown }
  | { kind: "handoff"; record: unknown }
  | { kind: "link"; record: ForeignLink }
  | { kind: "kept"; record?: undefined };

export type ForeignKind = ForeignContent["kind"];

export const foreignKinds = [
  ...(["task", "learning", "staged", "note", "skill", "ledger", "handoff", "link", "kept"] as const),
] satisfies ForeignKind[];

/** A record from another tool, and where it was found. */
export type ForeignRecord = ForeignContent & {
  /** Its id there; unique among those of its kind in its layout. */
  id: string;
  line?: number | undefined;
  /** The original JSON value, or the text of a file, for writing it back; absent if it is part of another record's. */
  original?: unknown;
};

/** A file from another tool, a part of a large one, or several that belong together. */
export interface ForeignFile {
  /** Relative to the imported folder, with slashes. */
  file: string;
  records: readonly ForeignRecord[];
}

/** The records a link can join, in the order in which an id is looked up. */
export const linkableKinds = ["learning", "note", "task", "skill", "staged"] as const;
