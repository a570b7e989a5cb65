import { rowNumber } from "../../repositories/checks/row-check.js";
import { runChecked } from "../../repositories/checks/run-checked.js";
import type { Sql, SqlValue } from "../../sql.js";
import type { ChangedColumn, ChangeRecord } from "../../store.js";
import { canonicalTables, derivedTables } from "../../tables.js";
import { SqliteConnection } from "../sqlite-connection.js";
import { loadSqliteEngine } from "../sqlite-driver.js";
import { rowsInParts } from "./rows-in-parts.js";

interface ColumnInfo {
  name: string;
  type: string;
  pk: number;
}

/** Gives every record to `change`; with `isWritten`, stores what it returns. */
export async function scrubRecords(
  sql: Sql,
  change: ChangeRecord,
  { isWritten }: { isWritten: boolean },
): Promise<ChangedColumn[]> {
  const changed = new Map<string, ChangedColumn>();
  for (const table of [...canonicalTables, ...derivedTables]) {
    const columns = await textColumns(sql, table);
    if (columns.length === 0) continue;
    for await (const rows of rowsInParts<Record<string, SqlValue>>(sql, table, columns))
      for (const { [rowNumber]: rowid, ...row } of rows) {
        const changes = Object.entries(change(table, row));
        for (const [column] of changes) {
          const known = changed.get(`${table}.${column}`) ?? { table, column, rows: 0 };
          changed.set(`${table}.${column}`, { ...known, rows: known.rows + 1 });
        }
        if (!isWritten || changes.length === 0) continue;
        const assignments = changes.map(([column]) => `${column} = ?`).join(", ");
        const values = [...changes.map(([, value]) => value), rowid];
        await runChecked(
          sql,
          (work) => work(sql),
          `UPDATE ${table} SET ${assignments} WHERE rowid = ?`,
          values,
        );
      }
  }
  return [...changed.values()];
}

/** The same of another database file, such as a backup, which is only read. */
export async function searchDatabaseFile(path: string, change: ChangeRecord): Promise<ChangedColumn[]> {
  const engine = await loadSqliteEngine();
  const connection = new SqliteConnection(engine.open(path, { readOnly: true }), {
    path,
    busyTimeoutMs: 1000,
  });
  try {
    return await scrubRecords(connection.sql, change, { isWritten: false });
  } finally {
    await connection.close();
  }
}

/** Names, which are keys, stay as they are; of a backup made by an older version, a table may be missing. */
async function textColumns(sql: Sql, table: string): Promise<string[]> {
  const columns = await sql.all<ColumnInfo>(`PRAGMA table_info(${table})`);
  return columns
    .filter(({ type, pk }) => (type === "TEXT" || type === "BLOB") && pk === 0)
    .map(({ name }) => name)
    .filter((name) => name !== "row_check");
}
