import type { Learning, StagedLearning } from "../../domain/knowledge/learning.js";
import type { LinkRelation } from "../../domain/knowledge/link.js";
import type { NoteType } from "../../domain/knowledge/note.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";

/** A note of another tool. */
export interface ForeignNote {
  type: NoteType;
  content: string;
  tags: readonly string[];
  /** `YYYY-MM-DD`; today if it is not known. */
  created?: string | undefined;
  /** Kept if it is one of a note, and free. */
  id?: string | undefined;
}

/** A whole SKILL.md. */
export interface ForeignSkill {
  name: string;
  text: string;
}

/** Between records of the same layout, by their ids there, or by ids of records here. */
export interface ForeignLink {
  from: string;
  to: string;
  relation: LinkRelation;
}

/** What a record of another tool becomes here. `kept`: nothing; it is only written back by an export. */
export type ForeignContent =
  | { kind: "task"; record: TaskHistory }
  | { kind: "learning"; record: Learning }
  | { kind: "staged"; record: StagedLearning }
  | { kind: "note"; record: ForeignNote }
  | { kind: "skill"; record: ForeignSkill }
  /** In their published schemas, checked when they are results. */
  | { kind: "ledger"; record: unknown }
  | { kind: "handoff"; record: unknown }
  | { kind: "link"; record: ForeignLink }
  | { kind: "kept"; record?: undefined };

export type ForeignKind = ForeignContent["kind"];

export const foreignKinds = [
  ...(["task", "learning", "staged", "note", "skill", "ledger", "handoff", "link", "kept"] as const),
] satisfies ForeignKind[];

/** A record of another tool, and where it was found. */
export type ForeignRecord = ForeignContent & {
  /** Its id there; unique among those of its kind in its layout. */
  id: string;
  line?: number | undefined;
  /** The JSON value that it was, or the text of a file, for writing it back; absent if it is part of another record's. */
  original?: unknown;
};

/** A file of another tool, a part of a large one, or some that belong together. */
export interface ForeignFile {
  /** Relative to the folder that is imported, with slashes. */
  file: string;
  records: readonly ForeignRecord[];
}

/** Which records a link can join, in the order in which an id is looked for. */
export const linkableKinds = ["learning", "note", "task", "skill", "staged"] as const;
