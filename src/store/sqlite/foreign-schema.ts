import { RalphError } from "../../domain/ralph-error.js";
import type { Sql } from "../sql.js";

/** Ralph makes tables, indexes and full-text tables. What an entry is says its statement: SQLite runs that, whatever its type. */
export const foreignObjects = `SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL
  AND NOT (sql GLOB 'CREATE TABLE *' OR sql GLOB 'CREATE INDEX *' OR sql GLOB 'CREATE UNIQUE INDEX *'
    OR (name GLOB 'search_text*' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5(%')) LIMIT 1`;

/** A trigger or view in somebody else's database would change or replace records behind our statements. */
export async function refuseForeignSchema(sql: Sql, path: string): Promise<void> {
  const found = await sql.get<{ type: string; name: string }>(foreignObjects);
  if (found === undefined) return;
  const kind = found.type === "table" ? "virtual table" : found.type;
  throw new RalphError(
    "store-damaged",
    `The database holds a ${kind} that is not Ralph's, "${found.name}": ${path}`,
    {
      hint: 'run "ralph doctor --repair" to copy the records into a clean database',
    },
  );
}
