import type { Migration } from "../migration.js";

export const notesMigration: Migration = {
  version: 1,
  async up(sql, dialect) {
    await sql.run(`CREATE TABLE note_files (
      file_id ${dialect.numberedKey},
      path TEXT NOT NULL UNIQUE,
      stamp TEXT NOT NULL,
      digest TEXT
    )`);
    await sql.run(`CREATE TABLE notes (
      note_key ${dialect.numberedKey},
      file_id INTEGER NOT NULL REFERENCES note_files (file_id),
      id TEXT NOT NULL,
      type TEXT NOT NULL,
      content TEXT NOT NULL,
      tags TEXT NOT NULL,
      tag_list TEXT NOT NULL,
      created TEXT NOT NULL,
      time BIGINT NOT NULL,
      likeness TEXT NOT NULL,
      block_print TEXT NOT NULL,
      block TEXT NOT NULL,
      tokens INTEGER NOT NULL,
      UNIQUE (file_id, id)
    )`);
    await sql.run("CREATE INDEX notes_by_id ON notes (id)");
    await sql.run("CREATE INDEX notes_by_likeness ON notes (file_id, type, likeness)");
    await sql.run("CREATE INDEX notes_by_type ON notes (file_id, type, time DESC, note_key DESC)");
    await sql.run("CREATE INDEX notes_by_time ON notes (file_id, time DESC, type, note_key DESC)");
    await sql.run(`CREATE TABLE added_sections (
      path TEXT NOT NULL,
      section TEXT NOT NULL,
      added TEXT NOT NULL,
      PRIMARY KEY (path, section)
    )`);
    await sql.run("CREATE TABLE deleted_notes (id TEXT PRIMARY KEY, time TEXT NOT NULL)");
    await sql.run(
      "CREATE TABLE settings_cache (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, content TEXT NOT NULL)",
    );
    await dialect.createLexicalIndex(sql);
  },
};
