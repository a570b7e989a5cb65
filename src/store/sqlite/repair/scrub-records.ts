import type { Sql, SqlValue } from "../../sql.js";
import type { ChangedColumn, ChangeRecord } from "../../store.js";
import { canonicalTables, derivedTables } from "../../tables.js";
import { SqliteConnection } from "../sqlite-connection.js";
import { loadSqliteEngine } from "../sqlite-driver.js";

interface ColumnInfo {
  name: string;
  type: string;
  pk: number;
}

const rowsAtOnce = 500;

/** The rows of a table, some at a time, with their number as `row_at`. */
export async function* rowsInParts(
  sql: Sql,
  table: string,
  columns: readonly string[] = ["*"],
): AsyncGenerator<(Record<string, SqlValue> & { row_at: number })[]> {
  const part = `SELECT rowid AS row_at, ${columns.join(", ")} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${rowsAtOnce}`;
  for (let last: number | undefined = Number.MIN_SAFE_INTEGER; last !== undefined; ) {
    const rows: (Record<string, SqlValue> & { row_at: number })[] = await sql.all(part, last);
    yield rows;
    const next = rows.at(-1)?.row_at;
    // In a damaged tree the next row may be an earlier one, for ever.
    last = next !== undefined && next > last ? next : undefined;
  }
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
    for await (const rows of rowsInParts(sql, table, columns))
      for (const { row_at: rowid, ...row } of rows) {
        const changes = Object.entries(change(table, row));
        for (const [column] of changes) {
          const known = changed.get(`${table}.${column}`) ?? { table, column, rows: 0 };
          changed.set(`${table}.${column}`, { ...known, rows: known.rows + 1 });
        }
        if (!isWritten || changes.length === 0) continue;
        const assignments = changes.map(([column]) => `${column} = ?`).join(", ");
        const values = [...changes.map(([, value]) => value), rowid];
        await sql.run(`UPDATE ${table} SET ${assignments} WHERE rowid = ?`, ...values);
      }
  }
  return [...changed.values()];
}

/** The same for another database file, such as a backup, which is only read. */
export async function searchDatabaseFile(path: string, change: ChangeRecord): Promise<ChangedColumn[]> {
  const engine = await loadSqliteEngine();
  const options = { path, busyTimeoutMs: 1000 };
  const connection = new SqliteConnection(engine.open(path, { readOnly: true }), options);
  try {
    return await scrubRecords(connection.sql, change, { isWritten: false });
  } finally {
    await connection.close();
  }
}

/** Keys stay as they are. A backup made by an older version may lack a table. */
async function textColumns(sql: Sql, table: string): Promise<string[]> {
  const columns = await sql.all<ColumnInfo>(`PRAGMA table_info(${table})`);
  return columns
    .filter(({ type, pk }) => (type === "TEXT" || type === "BLOB") && pk === 0)
    .map(({ name }) => name);
}
