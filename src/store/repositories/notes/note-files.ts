import type { Sql } from "../../sql.js";
import { localTables, tableOf } from "../table.js";

/** A notes file as it was when it was last indexed. */
export interface NoteFile {
  fileId: number;
  path: string;
  stamp: string;
  /** SHA-256 of the bytes; unknown right after a note was added. */
  digest: string | null;
  /** The merge conflicts that were found in it, as JSON. */
  conflicts: string | null;
}

const columns = "file_id AS fileId, path, stamp, digest, conflicts";

export type NoteFiles = ReturnType<typeof noteFiles>;

export function noteFiles(sql: Sql) {
  const table = tableOf(sql, localTables, "note_files");
  return {
    find: (path: string) => table.get<NoteFile>(columns, "AND path = ?", path),

    list: () => table.all<NoteFile>(columns, "ORDER BY file_id"),

    async add(path: string): Promise<NoteFile> {
      const fileId = await table.insertWithKey("file_id", { path, stamp: "" });
      return { fileId, path, stamp: "", digest: null, conflicts: null };
    },

    save: (fileId: number, stamp: string, digest: string | null, conflicts: string | null = null) =>
      table.update({ stamp, digest, conflicts }, "AND file_id = ?", fileId),

    remove: (fileId: number) => table.remove("AND file_id = ?", fileId),
  };
}

export type AddedSections = ReturnType<typeof addedSections>;

/** Section headers that Ralph added, so that deleting the last note can remove them again. */
export function addedSections(sql: Sql) {
  const table = tableOf(sql, localTables, "added_sections");
  return {
    async find(path: string, section: string): Promise<string | undefined> {
      const row = await table.get<{ added: string }>("added", "AND path = ? AND section = ?", path, section);
      return row?.added;
    },

    remove: (path: string, section: string) => table.remove("AND path = ? AND section = ?", path, section),

    list: (path: string) =>
      table.all<{ section: string; added: string }>("section, added", "AND path = ?", path),

    save: (path: string, section: string, added: string) =>
      table.save(["path", "section"], { path, section, added }),
  };
}

export type DeletedNotes = ReturnType<typeof deletedNotes>;

/** Notes that were deleted on purpose: a copy in another worktree does not bring them back. */
export function deletedNotes(sql: Sql) {
  const table = tableOf(sql, localTables, "deleted_notes");
  return {
    record: (id: string, time: string) => table.insertMissing(["id"], { id, time }),

    async has(id: string): Promise<boolean> {
      return (await table.get("id", "AND id = ?", id)) !== undefined;
    },
  };
}
