import type { Migration } from "../migration.js";

export const vectorsMigration: Migration = {
  version: 7,
  async up(sql, dialect) {
    await sql.run(`CREATE TABLE vectors (
      vector_key ${dialect.numberedKey},
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      source TEXT NOT NULL,
      model TEXT NOT NULL,
      dimensions INTEGER NOT NULL,
      print TEXT NOT NULL,
      scale DOUBLE PRECISION NOT NULL,
      bytes ${dialect.bytes} NOT NULL,
      UNIQUE (kind, id, source)
    )`);
  },
};
