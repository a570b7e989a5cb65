import type { Migration } from "./migration.js";

export const foreignRecordsMigration: Migration = {
  version: 14,
  async up(sql) {
    await sql.run(`CREATE TABLE foreign_records (
      layout TEXT NOT NULL,
      kind TEXT NOT NULL,
      foreign_id TEXT NOT NULL,
      record_id TEXT,
      file TEXT NOT NULL,
      place INTEGER NOT NULL,
      original TEXT,
      digest TEXT,
      imported TEXT NOT NULL,
      row_check TEXT,
      PRIMARY KEY (layout, kind, foreign_id)
    )`);
    await sql.run("CREATE INDEX foreign_records_by_record ON foreign_records (layout, record_id)");
  },
};
