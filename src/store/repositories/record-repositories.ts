import { lazyModule } from "../../domain/lazy-module.js";
import type { Dialect } from "../dialect.js";
import type { Sql } from "../sql.js";
import type { RecordRepositories } from "../store.js";

/** The repositories of what was tried and learned; the code of each is loaded by its first call. */
export function recordRepositories(
  sql: Sql,
  dialect: Pick<Dialect, "project" | "rowLock" | "hasRowChecks" | "serverTime">,
): RecordRepositories {
  return {
    tasks: lazyModule(async () => (await import("./tasks/tasks.js")).tasks(sql, dialect)),
    attempts: lazyModule(async () => (await import("./tasks/attempts.js")).attempts(sql, dialect)),
    actions: lazyModule(async () => (await import("./tasks/actions.js")).actions(sql, dialect)),
    iterationResults: lazyModule(async () =>
      (await import("./tasks/iteration-results.js")).iterationResults(sql, dialect),
    ),
    reflections: lazyModule(async () => (await import("./tasks/reflections.js")).reflections(sql, dialect)),
    capacityChanges: lazyModule(async () =>
      (await import("./tasks/capacity-changes.js")).capacityChanges(sql, dialect),
    ),
    learnings: lazyModule(async () => (await import("./knowledge/learnings.js")).learnings(sql, dialect)),
    stagedLearnings: lazyModule(async () =>
      (await import("./knowledge/staged-learnings.js")).stagedLearnings(sql, dialect),
    ),
    links: lazyModule(async () => (await import("./knowledge/links.js")).links(sql, dialect)),
    credits: lazyModule(async () => (await import("./knowledge/credits.js")).credits(sql, dialect)),
    impact: lazyModule(async () => (await import("./knowledge/impact.js")).impact(sql, dialect)),
    ledgers: lazyModule(async () => (await import("./working/ledgers.js")).ledgers(sql, dialect)),
    handoffs: lazyModule(async () => (await import("./working/handoffs.js")).handoffs(sql, dialect)),
    skillUses: lazyModule(async () => (await import("./knowledge/skill-uses.js")).skillUses(sql, dialect)),
    foreignRecords: lazyModule(async () =>
      (await import("./knowledge/foreign-records.js")).foreignRecords(sql, dialect),
    ),
    runs: lazyModule(async () => (await import("./tasks/runs.js")).runs(sql, dialect)),
  };
}
