import type { Sql } from "../../sql.js";

export type SettingsCache = ReturnType<typeof settingsCache>;

/** Parsed settings files, so that YAML is parsed only after a change. */
export function settingsCache(sql: Sql) {
  return {
    async find(path: string, stamp: string): Promise<string | undefined> {
      const row = await sql.get<{ content: string }>(
        "SELECT content FROM settings_cache WHERE path = ? AND stamp = ?",
        path,
        stamp,
      );
      return row?.content;
    },

    save: (path: string, stamp: string, content: string) =>
      sql.run(
        `INSERT INTO settings_cache (path, stamp, content) VALUES (?, ?, ?)
         ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, content = excluded.content`,
        path,
        stamp,
        content,
      ),
  };
}
