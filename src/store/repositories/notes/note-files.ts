import type { Sql } from "../../sql.js";

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

export type NoteFiles = ReturnType<typeof noteFiles>;

const columns = "file_id AS fileId, path, stamp, digest, conflicts";

export function noteFiles(sql: Sql) {
  return {
    find: (path: string) => sql.get<NoteFile>(`SELECT ${columns} FROM note_files WHERE path = ?`, path),

    list: () => sql.all<NoteFile>(`SELECT ${columns} FROM note_files ORDER BY file_id`),

    async add(path: string): Promise<NoteFile> {
      await sql.run("INSERT INTO note_files (path, stamp) VALUES (?, '')", path);
      const file = await this.find(path);
      if (file === undefined) throw new Error(`The notes file ${path} was added but cannot be found`);
      return file;
    },

    save: (fileId: number, stamp: string, digest: string | null, conflicts: string | null = null) =>
      sql.run(
        "UPDATE note_files SET stamp = ?, digest = ?, conflicts = ? WHERE file_id = ?",
        stamp,
        digest,
        conflicts,
        fileId,
      ),

    remove: (fileId: number) => sql.run("DELETE FROM note_files WHERE file_id = ?", fileId),
  };
}
