import type { Dialect } from "../dialect.js";
import { recordRepositories } from "../repositories/record-repositories.js";
import { derivationVersion } from "../schema-version.js";
import type { Sql } from "../sql.js";
import type { DerivedRepositories, RecordRepositories } from "../store.js";
import { emptyPostgresIndex, lexicalPostgres } from "./lexical/lexical-postgres.js";

export type SharedRepositories = RecordRepositories & DerivedRepositories;

/** The driver fills `:project` with the project's key. */
export const postgresDialect: Dialect = {
  project: {
    column: "project, ",
    value: ":project, ",
    owns: (table) => `${table}.project = :project`,
  },
  rowLock: "FOR UPDATE",
  serverTime: (aheadMs) =>
    `to_char((clock_timestamp() + interval '${aheadMs} milliseconds') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/** What a team shares, over one connection or transaction. */
export function postgresRepositories(sql: Sql): SharedRepositories {
  return {
    ...recordRepositories(sql, postgresDialect),
    lexical: lexicalPostgres(sql, derivationVersion),
    async resetDerived() {
      await emptyPostgresIndex(sql, derivationVersion);
      await sql.run(
        "DELETE FROM derivations WHERE derivations.project = :project AND version = ?",
        derivationVersion,
      );
    },
    async isDerivedFilled() {
      // A project that has not written yet has nothing to be indexed.
      const row = await sql.get<{ is_filled: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM derivations WHERE derivations.project = :project AND version = ?)
           OR NOT EXISTS (SELECT 1 FROM projects WHERE projects.project = :project) AS is_filled`,
        derivationVersion,
      );
      return row?.is_filled ?? false;
    },
    async markDerivedFilled() {
      await sql.run(
        "INSERT INTO derivations (project, version) VALUES (:project, ?) ON CONFLICT (project, version) DO NOTHING",
        derivationVersion,
      );
    },
  };
}
