import type { Sql } from "../../sql.js";

/**
 * Creates the search tables. `search_postings` holds, for each word, the numbers of the documents with it: in blocks, oldest
 * first, so that a frequent word is read in few rows. A number stands once for each field that holds the word; `counts` says at
 * the same place which field it is and how often (`counted-words.ts`). `search_words` holds the words of each document in
 * order, one line per field: for phrases, and to take it out of the blocks again. In `search_counts`, `documents` are those that
 * are there; the other columns never go down. Keys name the version and the kind late: a planner without statistics takes them
 * for rare, and would rather read all that have them than look up a number or a word.
 */
export async function createPostgresIndex(sql: Pick<Sql, "run">): Promise<void> {
  await sql.run(`CREATE TABLE search_counts (
    project BIGINT NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    documents BIGINT NOT NULL,
    words_ever BIGINT NOT NULL,
    last_number INTEGER NOT NULL,
    PRIMARY KEY (project, version, kind)
  )`);
  await sql.run(`CREATE TABLE search_documents (
    project BIGINT NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    number INTEGER NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    labels TEXT COLLATE "C" NOT NULL,
    time BIGINT NOT NULL,
    length INTEGER NOT NULL,
    distinct_words INTEGER NOT NULL,
    PRIMARY KEY (project, number, version, kind),
    UNIQUE (project, id, source, version, kind)
  )`);
  await sql.run(`CREATE TABLE search_words (
    project BIGINT NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    number INTEGER NOT NULL,
    words TEXT COLLATE "C" NOT NULL,
    kept TEXT,
    PRIMARY KEY (project, number, version, kind)
  )`);
  // Rows grow where they are, in the room that is left for them.
  await sql.run(`CREATE TABLE search_postings (
    project BIGINT NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    word TEXT COLLATE "C" NOT NULL,
    first_number INTEGER NOT NULL,
    holders INTEGER NOT NULL,
    numbers INTEGER[] NOT NULL,
    counts SMALLINT[] NOT NULL,
    PRIMARY KEY (project, word, version, kind, first_number)
  ) WITH (fillfactor = 70)`);
}

const tables = ["search_postings", "search_words", "search_documents", "search_counts"];

/** Empties the index of one derivation of a project. */
export async function emptyPostgresIndex(sql: Sql, version: number): Promise<void> {
  await Promise.all(
    tables.map((table) => sql.run(`DELETE FROM ${table} WHERE project = :project AND version = ?`, version)),
  );
}
