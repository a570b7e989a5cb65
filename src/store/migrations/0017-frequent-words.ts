import type { Migration } from "./migration.js";

/** In how many records a frequent word is, as counted with the last backup. */
export const frequentWordsMigration: Migration = {
  version: 17,
  async up(sql) {
    await sql.run(`CREATE TABLE frequent_words (
      kind TEXT NOT NULL,
      word TEXT NOT NULL,
      records INTEGER NOT NULL,
      PRIMARY KEY (kind, word)
    ) WITHOUT ROWID`);
  },
};
