import type { Sql, SqlValue } from "../../sql.js";
import { type CheckedRow, checkedTables, rowCheck } from "./row-check.js";

const change = /^\s*(?:INSERT(?: OR \w+)? INTO|UPDATE) (\w+)/;

/** Runs `work` in a transaction of its own, or in the one that is open. */
export type InTransaction = <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;

/** Runs a statement and gives each row that it changed its new check value, in the same transaction, unless it does so itself. */
export async function runChecked(
  sql: Sql,
  inTransaction: InTransaction,
  statement: string,
  values: readonly SqlValue[],
): Promise<number> {
  const table = change.exec(statement)?.[1];
  const isChecked = (checkedTables as readonly (string | undefined)[]).includes(table);
  if (!isChecked || statement.includes("row_check")) return sql.run(statement, ...values);
  return inTransaction(async (tx) => {
    const rows = await tx.all<CheckedRow>(`${statement} RETURNING rowid AS row_at, *`, ...values);
    for (const { row_at: at, ...row } of rows)
      await tx.run(`UPDATE ${table} SET row_check = ? WHERE rowid = ?`, rowCheck(row), at ?? null);
    return rows.length;
  });
}
