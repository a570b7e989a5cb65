import { unreadableColumn } from "../../dump/check-rows.js";
import type { Sql } from "../../sql.js";
import type { Damage } from "../../store.js";
import { canonicalTables, derivedTables } from "../../tables.js";
import { rowsInParts } from "./scrub-records.js";

interface SchemaRow {
  name: string;
  tableName: string;
  rootPage: number;
}

/** SQLite's integrity check, missing tables and records that cannot be read; and whether only derived tables are affected. */
export async function findDamage(sql: Sql): Promise<Damage[]> {
  const rows = await sql.all<{ integrity_check: string }>("PRAGMA integrity_check");
  const messages = rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
  const missing = await findMissingTables(sql);
  if (messages.length === 0) return missing.length > 0 ? missing : findUnreadable(sql);
  const schema = await sql.all<SchemaRow>(
    "SELECT name, tbl_name AS tableName, rootpage AS rootPage FROM sqlite_schema WHERE rootpage > 0 OR type = 'table'",
  );
  const derived = schema.filter(({ tableName }) => isDerived(tableName));
  return [
    ...messages.map((message) => ({ message, isDerived: derived.some((row) => isAbout(message, row)) })),
    ...missing,
  ];
}

/** SQLite knows pages, not whether the JSON in them can still be parsed. */
async function findUnreadable(sql: Sql): Promise<Damage[]> {
  const damage: Damage[] = [];
  for (const table of canonicalTables)
    for await (const rows of rowsInParts(sql, table))
      for (const { row_at: rowid, ...row } of rows) {
        const column = unreadableColumn(table, row);
        if (column === undefined) continue;
        damage.push({ message: `Row ${rowid} of ${table} has an unreadable "${column}"`, isDerived: false });
      }
  return damage;
}

async function findMissingTables(sql: Sql): Promise<Damage[]> {
  const rows = await sql.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const there = new Set(rows.map(({ name }) => name));
  return canonicalTables
    .filter((table) => !there.has(table))
    .map((table) => ({ message: `The table ${table} is missing`, isDerived: false }));
}

function isDerived(table: string): boolean {
  return (
    table === "documents" ||
    table === "kept_words" ||
    table.startsWith("search_text") ||
    (derivedTables as readonly string[]).includes(table)
  );
}

/** Messages name a table, an index, or a tree by its root page. */
function isAbout(message: string, { name, rootPage }: SchemaRow): boolean {
  const tree = /\b[Tt]ree (\d+)\b/.exec(message)?.[1];
  return tree === undefined ? new RegExp(`\\b${name}\\b`).test(message) : Number(tree) === rootPage;
}
