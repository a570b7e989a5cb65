import type { Sql, SqlValue } from "../../sql.js";
import { type CheckedRow, checkedTables, rowCheck, rowNumber } from "./row-check.js";

const change = /^\s*(?:INSERT(?: OR \w+)? INTO|UPDATE) (\w+)/;

/** Runs `work` in a transaction of its own, or in the one that is open. */
export type InTransaction = <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;

/** How a statement is run so that its rows get their check values; undefined if it is run as it is. */
type Checking = { changing: string; checking: string } | undefined;

const known = new Map<string, Checking>();

/** Runs a statement and gives each row that it changed its new check value, in the same transaction, unless it does so itself. */
export async function runChecked(
  sql: Sql,
  inTransaction: InTransaction,
  statement: string,
  values: readonly SqlValue[],
): Promise<number> {
  const how = checkingOf(statement);
  if (how === undefined) return sql.run(statement, ...values);
  return (await changeChecked(inTransaction, how, values)).length;
}

/** The same for one new row; returns its key. */
export async function insertChecked(
  sql: Sql,
  inTransaction: InTransaction,
  keyColumn: string,
  statement: string,
  values: readonly SqlValue[],
): Promise<number> {
  const how = checkingOf(statement);
  if (how === undefined) return sql.insert(keyColumn, statement, ...values);
  return Number((await changeChecked(inTransaction, how, values))[0]?.[keyColumn]);
}

function changeChecked(
  inTransaction: InTransaction,
  { changing, checking }: NonNullable<Checking>,
  values: readonly SqlValue[],
): Promise<CheckedRow[]> {
  return inTransaction(async (tx) => {
    const rows = await tx.all<CheckedRow>(changing, ...values);
    for (const row of rows) await tx.run(checking, rowCheck(row), row[rowNumber] ?? null);
    return rows;
  });
}

/** Kept, because there are few statements, each of which is run often. */
function checkingOf(statement: string): Checking {
  if (known.has(statement)) return known.get(statement);
  const table = change.exec(statement)?.[1];
  const isChecked = (checkedTables as readonly (string | undefined)[]).includes(table);
  const how =
    !isChecked || statement.includes("row_check")
      ? undefined
      : {
          changing: `${statement} RETURNING rowid AS ${rowNumber}, *`,
          checking: `UPDATE ${table} SET row_check = ? WHERE rowid = ?`,
        };
  known.set(statement, how);
  return how;
}
