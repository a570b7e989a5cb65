import type { Migration } from "./migration.js";

export const outboxMigration: Migration = {
  version: 13,
  async up(sql, dialect) {
    await sql.run(`CREATE TABLE outbox (
      number ${dialect.numberedKey},
      token TEXT NOT NULL UNIQUE,
      kept TEXT NOT NULL,
      entry TEXT NOT NULL
    )`);
  },
};
