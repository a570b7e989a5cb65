import { RalphError } from "../../domain/ralph-error.js";
import { derivationVersion, schemaVersion } from "../migrations/schema-version.js";
import { actions } from "../repositories/actions.js";
import { addedSections } from "../repositories/added-sections.js";
import { attempts } from "../repositories/attempts.js";
import { capacityChanges } from "../repositories/capacity-changes.js";
import { credits } from "../repositories/credits.js";
import { deletedNotes } from "../repositories/deleted-notes.js";
import { handoffs } from "../repositories/handoffs.js";
import { iterationResults } from "../repositories/iteration-results.js";
import { learnings } from "../repositories/learnings.js";
import { ledgers } from "../repositories/ledgers.js";
import { links } from "../repositories/links.js";
import { noteFiles } from "../repositories/note-files.js";
import { noteRows } from "../repositories/note-rows.js";
import { reflections } from "../repositories/reflections.js";
import { settingsCache } from "../repositories/settings-cache.js";
import { skillUses } from "../repositories/skill-uses.js";
import { stagedLearnings } from "../repositories/staged-learnings.js";
import { tasks } from "../repositories/tasks.js";
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
    tasks: tasks(sql),
    attempts: attempts(sql),
    actions: actions(sql),
    iterationResults: iterationResults(sql),
    reflections: reflections(sql),
    capacityChanges: capacityChanges(sql),
    learnings: learnings(sql),
    stagedLearnings: stagedLearnings(sql),
    links: links(sql),
    credits: credits(sql),
    ledgers: ledgers(sql),
    handoffs: handoffs(sql),
    skillUses: skillUses(sql),
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
