import { RalphError } from "../../domain/ralph-error.js";
import { lazyRepository } from "../lazy-repository.js";
import { derivationVersion, schemaVersion } from "../migrations/schema-version.js";
import { addedSections } from "../repositories/added-sections.js";
import { deletedNotes } from "../repositories/deleted-notes.js";
import { noteFiles } from "../repositories/note-files.js";
import { noteRows } from "../repositories/note-rows.js";
import { settingsCache } from "../repositories/settings-cache.js";
import type { Sql } from "../sql.js";
import type { Repositories } from "../store.js";
import { derivedTables } from "../tables.js";
import { createFts5Index, dropFts5Index, lexicalFts5 } from "./lexical-fts5.js";
import { sqliteDialect } from "./sqlite-dialect.js";
import { isCorrupt } from "./sqlite-errors.js";
import { emptied, readVersion, writeVersion } from "./sqlite-version.js";

/** Every repository over one connection or transaction. */
export function sqliteRepositories(sql: Sql): Repositories {
  const derived = derivedSql(sql);
  return {
    notes: noteRows(derived, sqliteDialect),
    noteFiles: noteFiles(derived),
    settingsCache: settingsCache(derived),
    lexical: lexicalFts5(derived),
    addedSections: addedSections(sql),
    deletedNotes: deletedNotes(sql),
    tasks: lazyRepository(async () => (await import("../repositories/tasks.js")).tasks(sql)),
    attempts: lazyRepository(async () => (await import("../repositories/attempts.js")).attempts(sql)),
    actions: lazyRepository(async () => (await import("../repositories/actions.js")).actions(sql)),
    iterationResults: lazyRepository(async () =>
      (await import("../repositories/iteration-results.js")).iterationResults(sql),
    ),
    reflections: lazyRepository(async () =>
      (await import("../repositories/reflections.js")).reflections(sql),
    ),
    capacityChanges: lazyRepository(async () =>
      (await import("../repositories/capacity-changes.js")).capacityChanges(sql),
    ),
    learnings: lazyRepository(async () => (await import("../repositories/learnings.js")).learnings(sql)),
    stagedLearnings: lazyRepository(async () =>
      (await import("../repositories/staged-learnings.js")).stagedLearnings(sql),
    ),
    links: lazyRepository(async () => (await import("../repositories/links.js")).links(sql)),
    credits: lazyRepository(async () => (await import("../repositories/credits.js")).credits(sql)),
    impact: lazyRepository(async () => (await import("../repositories/impact.js")).impact(sql)),
    ledgers: lazyRepository(async () => (await import("../repositories/ledgers.js")).ledgers(sql)),
    handoffs: lazyRepository(async () => (await import("../repositories/handoffs.js")).handoffs(sql)),
    skillUses: lazyRepository(async () => (await import("../repositories/skill-uses.js")).skillUses(sql)),
    runs: lazyRepository(async () => (await import("../repositories/runs.js")).runs(sql)),
    vectors: lazyRepository(async () => (await import("../repositories/vectors.js")).vectors(derived)),
    async resetDerived() {
      for (const table of derivedTables) await sql.run(`DELETE FROM ${table}`);
      await dropFts5Index(sql);
      await createFts5Index(sql);
      await writeVersion(sql, { schema: schemaVersion, derivation: emptied });
    },
    isDerivedFilled: async () => (await readVersion(sql)).derivation === derivationVersion,
    markDerivedFilled: () => writeVersion(sql, { schema: schemaVersion, derivation: derivationVersion }),
  };
}

/** Damage in derived tables is told apart: they can be rebuilt in place. */
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
  };
}
