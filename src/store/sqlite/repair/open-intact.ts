import type { SqliteDatabase, SqliteEngine } from "../sqlite-driver.js";

/** A database for reading, if it is sound. */
export function openIntact(engine: SqliteEngine, path: string): SqliteDatabase | undefined {
  try {
    const database = engine.open(path, { readOnly: true });
    try {
      const rows = database.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
      if (rows.length === 1 && rows[0]?.integrity_check === "ok") return database;
    } catch {
      // Damaged as well.
    }
    database.close();
  } catch {
    // Not a database at all.
  }
  return undefined;
}
