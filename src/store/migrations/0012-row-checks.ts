import { checkedTables } from "../repositories/checks/row-check.js";
import type { Migration } from "./migration.js";

/** Rows from before have no check value. A later migration that changes rows must set theirs to NULL. */
export const rowChecksMigration: Migration = {
  version: 12,
  async up(sql) {
    for (const table of checkedTables) await sql.run(`ALTER TABLE ${table} ADD COLUMN row_check TEXT`);
  },
};
