import type { Dialect } from "../dialect.js";
import type { Sql } from "../sql.js";
import type { RecordRepositories } from "../store.js";
import { credits } from "./knowledge/credits.js";
import { foreignRecords } from "./knowledge/foreign-records.js";
import { impact } from "./knowledge/impact.js";
import { learnings } from "./knowledge/learnings.js";
import { links } from "./knowledge/links.js";
import { skillUses } from "./knowledge/skill-uses.js";
import { stagedLearnings } from "./knowledge/staged-learnings.js";
import { actions } from "./tasks/actions.js";
import { attempts } from "./tasks/attempts.js";
import { iterationResults } from "./tasks/iteration-results.js";
import { capacityChanges, reflections } from "./tasks/reflections.js";
import { runs } from "./tasks/runs.js";
import { tasks } from "./tasks/tasks.js";
import { handoffs, ledgers } from "./working.js";

/** The repositories of what was tried and learned. */
export function recordRepositories(sql: Sql, dialect: Dialect): RecordRepositories {
  return {
    tasks: tasks(sql, dialect),
    attempts: attempts(sql, dialect),
    actions: actions(sql, dialect),
    iterationResults: iterationResults(sql, dialect),
    reflections: reflections(sql, dialect),
    capacityChanges: capacityChanges(sql, dialect),
    learnings: learnings(sql, dialect),
    stagedLearnings: stagedLearnings(sql, dialect),
    links: links(sql, dialect),
    credits: credits(sql, dialect),
    impact: impact(sql, dialect),
    ledgers: ledgers(sql, dialect),
    handoffs: handoffs(sql, dialect),
    skillUses: skillUses(sql, dialect),
    foreignRecords: foreignRecords(sql, dialect),
    runs: runs(sql, dialect),
  };
}
