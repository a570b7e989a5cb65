import type { Note, NoteType } from "../../../domain/knowledge/note.js";
import { noLimit, placeholders, type Sql, type SqlValue } from "../../sql.js";
import { hasAnyLabel, labelPattern, labelText, parseStored } from "../../stored-text.js";
import { localTables, tableOf } from "../table.js";

/** A note as indexed: redacted, with the fields needed to find it again. */
export interface NoteRow extends Note {
  fileId: number;
  /** Milliseconds. */
  time: number;
  /** Equal for notes that say the same. */
  likeness: string;
  /** Hash of the note's bytes in the file. */
  blockPrint: string;
  /** The note in the file's format. */
  block: string;
  /** Token count of the block. */
  tokens: number;
  /** Higher for the newer of two notes in one section with the same time; set by `listByIds` only. */
  key?: number;
}

export type NoteSize = Pick<NoteRow, "fileId" | "id" | "time" | "tokens">;

/** The file that all worktrees share, and this worktree's copy, which adds notes that the shared file lacks. */
export interface NoteScope {
  home: number;
  copy?: number;
}

export interface NoteFilter {
  scope: NoteScope;
  types?: readonly NoteType[];
  /** Matches any of them, ignoring case. */
  tags?: readonly string[];
  /** Milliseconds. */
  since?: number;
}

interface StoredRow extends Omit<NoteRow, "tags"> {
  tags: string;
}

const columns =
  "file_id AS fileId, id, type, content, tags, created, time, likeness, block_print AS blockPrint, block, tokens";
// Notes with the same time are ordered by position in the file, which is known only within a section.
const newestFirst = "ORDER BY time DESC, type, note_key DESC";

export type NoteRows = ReturnType<typeof noteRows>;

export function noteRows(sql: Sql) {
  const table = tableOf(sql, localTables, "notes");
  const list = async (chosen: string, rest: string, ...values: SqlValue[]): Promise<NoteRow[]> =>
    (await table.all<StoredRow>(chosen, rest, ...values)).map(toNoteRow);
  return {
    add: ({ fileId, id, type, content, tags, created, time, likeness, blockPrint, block, tokens }: NoteRow) =>
      table.insert({
        ...{ file_id: fileId, id, type, content, tags, tag_list: labelText(tags), created, time, likeness },
        ...{ block_print: blockPrint, block, tokens },
      }),

    remove: (fileId: number, id: string) => table.remove("AND file_id = ? AND id = ?", fileId, id),

    async find(fileId: number, id: string): Promise<NoteRow | undefined> {
      return (await list(columns, "AND file_id = ? AND id = ?", fileId, id))[0];
    },

    listByPrefix(scope: NoteScope, prefix: string): Promise<NoteRow[]> {
      const { where, values } = visibleIn(scope);
      const end = `${prefix}\u{10ffff}`;
      return list(columns, `AND ${where} AND id >= ? AND id < ? ORDER BY id`, ...values, prefix, end);
    },

    async listByIds(scope: NoteScope, ids: readonly string[]): Promise<NoteRow[]> {
      const { where, values } = visibleIn(scope);
      const withKey = `${columns}, note_key AS key`;
      const rows = await table.listIn<StoredRow>(withKey, "id", ids, `AND ${where}`, ...values);
      return rows.map(toNoteRow);
    },

    listByLikeness(scope: NoteScope, type: NoteType, likeness: string): Promise<NoteRow[]> {
      const { where, values } = visibleIn(scope);
      return list(columns, `AND ${where} AND likeness = ? AND type = ?`, ...values, likeness, type);
    },

    listPrints: (fileId: number) =>
      table.all<{ id: string; blockPrint: string }>(
        "id, block_print AS blockPrint",
        "AND file_id = ?",
        fileId,
      ),

    async isIdTaken(id: string): Promise<boolean> {
      return (await table.get("1", "AND id = ?", id)) !== undefined;
    },

    /** Newest first. */
    list(filter: NoteFilter, limit = noLimit, offset = 0): Promise<NoteRow[]> {
      const { where, values } = condition(filter);
      return list(columns, `AND ${where} ${newestFirst} LIMIT ? OFFSET ?`, ...values, limit, offset);
    },

    /** Enough to select notes by size and age, newest first. */
    listSizes(filter: NoteFilter, limit: number, offset: number): Promise<NoteSize[]> {
      const { where, values } = condition(filter);
      const rest = `AND ${where} ${newestFirst} LIMIT ? OFFSET ?`;
      return table.all<NoteSize>("file_id AS fileId, id, time, tokens", rest, ...values, limit, offset);
    },

    async countByType(filter: NoteFilter): Promise<Map<NoteType, number>> {
      const { where, values } = condition(filter);
      const rows = await table.all<{ type: NoteType; count: number }>(
        "type, count(*) AS count",
        `AND ${where} GROUP BY type`,
        ...values,
      );
      return new Map(rows.map(({ type, count }) => [type, count]));
    },

    /** All blocks as one UTF-8 text, newest first, each followed by a mark: much faster than row by row, or than as a string. */
    async joinBlocks(filter: NoteFilter, marks: { home: string; copy: string }): Promise<Uint8Array> {
      const { where, values } = condition(filter);
      const row = await sql.get<{ text: Uint8Array | null }>(
        `SELECT CAST(group_concat(block || CASE WHEN file_id = ? THEN ? ELSE ? END, ?) AS BLOB) AS text
         FROM (SELECT block, file_id FROM notes WHERE ${where} ${newestFirst}) AS ordered`,
        ...[filter.scope.home, marks.home, marks.copy, "\n"],
        ...values,
      );
      return row?.text ?? new Uint8Array();
    },
  };
}

function toNoteRow(row: StoredRow): NoteRow {
  return { ...row, tags: parseStored(row.tags, "index-damaged") as string[] };
}

interface Condition {
  where: string;
  values: SqlValue[];
}

function visibleIn({ home, copy }: NoteScope): Condition {
  if (copy === undefined) return { where: "file_id = ?", values: [home] };
  return {
    where: `(file_id = ? OR (file_id = ?
      AND NOT EXISTS (SELECT 1 FROM notes AS shared WHERE shared.file_id = ? AND shared.id = notes.id)
      AND NOT EXISTS (SELECT 1 FROM deleted_notes WHERE deleted_notes.id = notes.id)))`,
    values: [home, copy, home],
  };
}

function condition({ scope, types, tags, since }: NoteFilter): Condition {
  const { where, values } = visibleIn(scope);
  const parts = [where];
  if (types !== undefined && types.length > 0) {
    parts.push(`type IN ${placeholders(types)}`);
    values.push(...types);
  }
  if (tags !== undefined && tags.length > 0) {
    parts.push(hasAnyLabel("tag_list", tags));
    values.push(...tags.map(labelPattern));
  }
  if (since !== undefined) {
    parts.push("time >= ?");
    values.push(since);
  }
  return { where: parts.join(" AND "), values };
}
