import type { SqliteDatabase } from "./sqlite-driver.js";

/** Ends a transaction that failed; the error that made it fail is the one to report. */
export function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has already rolled back, as it does when the disk is full.
  }
}
