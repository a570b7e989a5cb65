import type { Sql } from "../../sql.js";

export type AddedSections = ReturnType<typeof addedSections>;

/** Section headers that Ralph added, so that deleting the last note can remove them again. */
export function addedSections(sql: Sql) {
  return {
    async find(path: string, section: string): Promise<string | undefined> {
      const row = await sql.get<{ added: string }>(
        "SELECT added FROM added_sections WHERE path = ? AND section = ?",
        path,
        section,
      );
      return row?.added;
    },

    remove: (path: string, section: string) =>
      sql.run("DELETE FROM added_sections WHERE path = ? AND section = ?", path, section),

    list: (path: string) =>
      sql.all<{ section: string; added: string }>(
        "SELECT section, added FROM added_sections WHERE path = ?",
        path,
      ),

    save: (path: string, section: string, added: string) =>
      sql.run(
        `INSERT INTO added_sections (path, section, added) VALUES (?, ?, ?)
         ON CONFLICT (path, section) DO UPDATE SET added = excluded.added`,
        path,
        section,
        added,
      ),
  };
}
