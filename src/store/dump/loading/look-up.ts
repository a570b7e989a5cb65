import type { Dialect } from "../../dialect.js";
import { placeholders, type Sql, type SqlValue } from "../../sql.js";
import type { CanonicalTable, Row } from "../table-shape.js";

/** Lists are made this long, so that there are few different statements, which drivers remember. */
const listLength = 100;

/** The rows of a table that have one of some values in a column, some at a time. */
export async function* rowsWith(
  { sql, dialect: { project } }: { sql: Sql; dialect: Dialect },
  { table, columns, by, key }: { table: CanonicalTable; columns: readonly string[]; by: string; key: string },
  values: readonly SqlValue[],
): AsyncGenerator<Row> {
  const named = [...new Set([by, key, ...columns])].join(", ");
  const order = by === key ? by : `${by}, ${key}`;
  const after = by === key ? `${by} > ?` : `(${by}, ${key}) > (?, ?)`;
  const select = (condition: string) =>
    `SELECT ${named} FROM ${table} WHERE ${project.owns(table)} AND ${condition} ORDER BY ${order} LIMIT ${rowsAtOnce}`;
  for (const list of listsOf(values.filter((value) => value !== null))) {
    const isListed = `${by} IN ${placeholders(list)}`;
    let rows = await sql.all<Row>(select(isListed), ...list);
    while (rows.length > 0) {
      yield* rows;
      const last = rows.at(-1);
      if (rows.length < rowsAtOnce || last === undefined) break;
      const from = by === key ? [last[by] ?? null] : [last[by] ?? null, last[key] ?? null];
      rows = await sql.all<Row>(select(`${isListed} AND ${after}`), ...list, ...from);
    }
  }
  if (values.includes(null))
    yield* await sql.all<Row>(
      `SELECT ${named} FROM ${table} WHERE ${project.owns(table)} AND ${by} IS NULL ORDER BY ${key}`,
    );
}

const rowsAtOnce = 200;

function listsOf(values: readonly SqlValue[]): SqlValue[][] {
  const lists: SqlValue[][] = [];
  for (let at = 0; at < values.length; at += listLength) {
    const list = values.slice(at, at + listLength);
    const last = list.at(-1) ?? null;
    lists.push([...list, ...Array.from({ length: listLength - list.length }, () => last)]);
  }
  return lists;
}

/** The values of a column that are there, of those that are looked for. */
export async function presentValues(
  access: { sql: Sql; dialect: Dialect },
  table: CanonicalTable,
  column: string,
  values: readonly SqlValue[],
): Promise<Set<SqlValue>> {
  const { project } = access.dialect;
  const found = new Set<SqlValue>();
  for (const list of listsOf([...new Set(values)])) {
    const rows = await access.sql.all<{ value: SqlValue }>(
      `SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${project.owns(table)} AND ${column} IN ${placeholders(list)}`,
      ...list,
    );
    for (const { value } of rows) found.add(value);
  }
  return found;
}

const rowsPerQuestion = 50;

/** Of rows that have an id of their own, what is here, by their place in the list. */
export async function presentRows(
  { sql, dialect: { project } }: { sql: Sql; dialect: Dialect },
  { table, id, columns }: { table: CanonicalTable; id: readonly string[]; columns: readonly string[] },
  rows: readonly Row[],
): Promise<Map<number, Row>> {
  const keyOf = (row: Row) => JSON.stringify(id.map((name) => row[name]));
  const one = `(${id.map((name) => `${name} = ?`).join(" AND ")})`;
  const named = [...new Set([...id, ...columns])].join(", ");
  const present = new Map<number, Row>();
  for (let at = 0; at < rows.length; at += rowsPerQuestion) {
    const some = rows.slice(at, at + rowsPerQuestion);
    const last = some.at(-1);
    if (last === undefined) break;
    const asked = [...some, ...Array.from({ length: rowsPerQuestion - some.length }, () => last)];
    const found = await sql.all<Row>(
      `SELECT ${named} FROM ${table} WHERE ${project.owns(table)} AND (${asked.map(() => one).join(" OR ")})`,
      ...asked.flatMap((row) => id.map((name) => row[name] ?? null)),
    );
    const here = new Map(found.map((row) => [keyOf(row), row]));
    for (const [index, row] of some.entries()) {
      const known = here.get(keyOf(row));
      if (known !== undefined) present.set(at + index, known);
    }
  }
  return present;
}
