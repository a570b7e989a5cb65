import { RalphError } from "../../../domain/ralph-error.js";
import { tooNew } from "../../schema-version.js";
import { searchTables } from "../lexical/lexical-postgres.js";

/** A change to the tables, for databases that are already in use; append-only. */
export interface Upgrade {
  /** The schema that a database has after it. */
  version: number;
  statements: readonly string[];
}

/** The schema of a database as `tables.ts` makes it; the upgrades bring new databases up to date as well. */
export const firstVersion = 13;

const word = 'TEXT COLLATE "C"';

export const upgrades: readonly Upgrade[] = [
  {
    version: 14,
    statements: [
      `CREATE TABLE foreign_records (
        project BIGINT NOT NULL,
        layout ${word} NOT NULL,
        kind ${word} NOT NULL,
        foreign_id ${word} NOT NULL,
        record_id ${word},
        file ${word} NOT NULL,
        place INTEGER NOT NULL,
        original TEXT,
        digest TEXT,
        imported ${word} NOT NULL,
        PRIMARY KEY (project, layout, kind, foreign_id)
      )`,
      "CREATE INDEX foreign_records_by_record ON foreign_records (project, layout, record_id)",
    ],
  },
  {
    version: 15,
    statements: [
      ...["tasks", "attempts", "runs"].map((table) => `ALTER TABLE ${table} ADD COLUMN made_by TEXT`),
      `ALTER TABLE attempts ADD COLUMN seen_at ${word}`,
      "ALTER TABLE handoffs ADD COLUMN taken_by TEXT",
      "ALTER TABLE commit_tokens ADD COLUMN is_late BOOLEAN NOT NULL DEFAULT TRUE",
      "CREATE INDEX commit_tokens_by_age ON commit_tokens (project, created)",
    ],
  },
  {
    version: 16,
    statements: [
      "DROP INDEX tasks_by_status",
      "CREATE INDEX tasks_by_status ON tasks (project, status, updated, number)",
      "CREATE INDEX tasks_by_update ON tasks (project, updated, number)",
    ],
  },
  {
    // The search index is filled again by the next command.
    version: 17,
    statements: [
      "DROP TABLE IF EXISTS search_postings, search_words, search_documents, search_counts",
      ...searchTables,
      "DELETE FROM derivations",
    ],
  },
];

/** The schema of a server that is up to date. Tables that only SQLite has do not change it: a whole team would have to update at once. */
export const serverVersion = upgrades.at(-1)?.version ?? firstVersion;

/** Holds the version of the tables that a database has. */
export const versionTable = "ralph_schema";

/** Refuses a database whose tables are not those of this version. */
export function refuseOtherSchema(version: number | undefined, shown: string): void {
  if (version === serverVersion) return;
  if (version === undefined)
    throw new RalphError("store-damaged", `The database has no tables of Ralph: ${shown}`, {
      hint: 'run "ralph store create" with the owner\'s address',
    });
  if (version > serverVersion) throw tooNew(shown, version);
  throw new RalphError(
    "store-too-old",
    `${shown} was made by an older Ralph (schema ${version}, not ${serverVersion})`,
    {
      hint: 'run "ralph store create" with the owner\'s address, which brings it up to date',
    },
  );
}
