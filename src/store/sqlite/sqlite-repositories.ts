import { RalphError } from "../../domain/ralph-error.js";
import type { Dialect } from "../dialect.js";
import { vectors } from "../repositories/knowledge/vectors.js";
import { outbox, settingsCache } from "../repositories/notes/local-state.js";
import { addedSections, deletedNotes, noteFiles } from "../repositories/notes/note-files.js";
import { noteRows } from "../repositories/notes/note-rows.js";
import { recordRepositories } from "../repositories/record-repositories.js";
import { localTables } from "../repositories/table.js";
import { derivationVersion, schemaVersion } from "../schema-version.js";
import type { Sql } from "../sql.js";
import type { Repositories } from "../store.js";
import { derivedTables } from "../tables.js";
import { createFts5Index, dropFts5Index, lexicalFts5 } from "./lexical/lexical-fts5.js";
import { isCorrupt } from "./sqlite-errors.js";

export const sqliteDialect: Dialect = { ...localTables, rowLock: "" };

/** Every repository over one connection or transaction; `onRecord` is called when a canonical record is about to change. */
export function sqliteRepositories(sql: Sql, onRecord: () => void = () => undefined): Repositories {
  const derived = derivedSql(sql);
  const recording: Sql = {
    ...sql,
    run(statement, ...values) {
      onRecord();
      return sql.run(statement, ...values);
    },
    write(statement, ...values) {
      onRecord();
      return sql.write(statement, ...values);
    },
    insert(keyColumn, statement, ...values) {
      onRecord();
      return sql.insert(keyColumn, statement, ...values);
    },
  };
  return {
    notes: noteRows(derived),
    noteFiles: noteFiles(derived),
    settingsCache: settingsCache(derived),
    lexical: lexicalFts5(derived),
    vectors: vectors(derived),
    addedSections: addedSections(sql),
    deletedNotes: deletedNotes(sql),
    outbox: outbox(sql),
    ...recordRepositories(recording, sqliteDialect),
    async resetDerived() {
      for (const table of derivedTables) await sql.run(`DELETE FROM ${table}`);
      await dropFts5Index(sql);
      await createFts5Index(sql);
      await writeVersion(sql, { schema: schemaVersion, derivation: emptyDerivation });
    },
    isDerivedFilled: async () => (await readVersion(sql)).derivation === derivationVersion,
    markDerivedFilled: () => writeVersion(sql, { schema: schemaVersion, derivation: derivationVersion }),
  };
}

/** Reports damage in derived tables separately: they can be rebuilt in place. */
function derivedSql(sql: Sql): Sql {
  const guarded = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      const isDamaged = isCorrupt(error) || (error instanceof RalphError && error.code === "store-damaged");
      if (!isDamaged) throw error;
      throw new RalphError("index-damaged", "The search index is damaged", {
        hint: 'run "ralph index rebuild"',
        cause: error,
      });
    }
  };
  return {
    all: (statement, ...values) => guarded(sql.all(statement, ...values)),
    get: (statement, ...values) => guarded(sql.get(statement, ...values)),
    run: (statement, ...values) => guarded(sql.run(statement, ...values)),
    write: (statement, ...values) => guarded(sql.write(statement, ...values)),
    insert: (keyColumn, statement, ...values) => guarded(sql.insert(keyColumn, statement, ...values)),
  };
}

interface StoreVersion {
  schema: number;
  derivation: number;
}

/** Derivation version of a database whose derived tables are empty and have to be rebuilt. */
export const emptyDerivation = 0;

/** SQLite stores one number: the schema version in the upper digits, the derivation version in the lower ones. */
const derivationStep = 1000;

export async function readVersion(sql: Sql): Promise<StoreVersion> {
  const version = (await sql.get<{ user_version: number }>("PRAGMA user_version"))?.user_version ?? 0;
  return { schema: Math.floor(version / derivationStep), derivation: version % derivationStep };
}

export async function writeVersion(sql: Sql, { schema, derivation }: StoreVersion): Promise<void> {
  await sql.run(`PRAGMA user_version = ${schema * derivationStep + derivation}`);
}
