import { lazyModule } from "../../domain/lazy-module.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { InTransaction } from "../repositories/checks/run-checked.js";
import { addedSections } from "../repositories/notes/added-sections.js";
import { deletedNotes } from "../repositories/notes/deleted-notes.js";
import { noteFiles } from "../repositories/notes/note-files.js";
import { noteRows } from "../repositories/notes/note-rows.js";
import { recordRepositories } from "../repositories/record-repositories.js";
import { settingsCache } from "../repositories/settings/settings-cache.js";
import { derivationVersion, schemaVersion } from "../schema-version.js";
import type { Sql } from "../sql.js";
import type { Repositories } from "../store.js";
import { derivedTables } from "../tables.js";
import { createFts5Index, dropFts5Index, lexicalFts5 } from "./lexical/lexical-fts5.js";
import { sqliteDialect } from "./sqlite-dialect.js";
import { isCorrupt } from "./sqlite-errors.js";
import { emptyDerivation, readVersion, writeVersion } from "./sqlite-version.js";

const checks = lazyModule(() => import("../repositories/checks/run-checked.js"));

export interface RepositoryOptions {
  /** How to begin a transaction; without it, there is one already. */
  inTransaction?: InTransaction;
  /** Called when a record that is only in the database is about to change. */
  onRecord?: () => void;
}

/** Every repository over one connection or transaction. */
export function sqliteRepositories(sql: Sql, options: RepositoryOptions = {}): Repositories {
  const { inTransaction = (work) => work(sql), onRecord = () => undefined } = options;
  const derived = derivedSql(sql);
  const checked: Sql = {
    ...sql,
    run(statement, ...values) {
      onRecord();
      return checks.runChecked(sql, inTransaction, statement, values);
    },
    async write(statement, ...values) {
      onRecord();
      await checks.runChecked(sql, inTransaction, statement, values);
    },
    insert(keyColumn, statement, ...values) {
      onRecord();
      return checks.insertChecked(sql, inTransaction, keyColumn, statement, values);
    },
  };
  return {
    notes: noteRows(derived, sqliteDialect),
    noteFiles: noteFiles(derived),
    settingsCache: settingsCache(derived),
    lexical: lexicalFts5(derived),
    addedSections: addedSections(sql),
    deletedNotes: deletedNotes(sql),
    ...recordRepositories(checked, sqliteDialect),
    outbox: lazyModule(async () => (await import("../repositories/outbox/outbox.js")).outbox(sql)),
    vectors: lazyModule(async () => (await import("../repositories/knowledge/vectors.js")).vectors(derived)),
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
