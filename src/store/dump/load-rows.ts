import { RalphError } from "../../domain/ralph-error.js";
import type { Dialect } from "../dialect.js";
import type { Sql } from "../sql.js";
import { storableText } from "../stored-text.js";
import { LoadContext } from "./load-context.js";
import { type Matcher, makeMatcher, type Plan } from "./match-rows.js";
import type { HighestNumbers } from "./read-rows.js";
import type { RowLoading, RowSide } from "./row-side.js";
import { type CanonicalTable, idOf, type Row, shapeOf, type TableRow } from "./table-shapes.js";

export interface LoadOptions {
  side: Pick<RowSide, "engine" | "dialect">;
  /** Without `write`, nothing is changed. */
  loading: Pick<RowLoading, "read"> & Partial<Pick<RowLoading, "write">>;
  highest: HighestNumbers;
  /** A row as it may be stored; ids of tasks that got another number are given with their new ones. */
  prepare(table: CanonicalTable, row: Row, renamed: ReadonlyMap<string, string>): Row;
  /** Called with some rows as they are to be stored, but for their numbers. */
  onRows?(table: CanonicalTable, rows: readonly Row[]): void;
  onProgress?(rows: number): void;
}

export interface TableLoad {
  added: number;
  /** Of which a later version came in. */
  updated: number;
  present: number;
  leftOut: number;
}

export interface Load {
  tables: Partial<Record<CanonicalTable, TableLoad>>;
  renamed: ReadonlyMap<string, string>;
  changedTasks: ReadonlySet<number>;
  changedLearnings: ReadonlySet<string>;
  /** Those that were here before. */
  knownTasks: readonly number[];
  knownLearnings: ReadonlySet<string>;
}

/** Adds rows to a store, which may have some of them; loading them again changes nothing. */
export async function loadRows(rows: AsyncIterable<TableRow>, options: LoadOptions): Promise<Load> {
  const { side, loading, highest, prepare, onRows = () => undefined, onProgress = () => undefined } = options;
  const isWritten = loading.write !== undefined;
  const context = new LoadContext({ sql: loading.read, ...side, isWritten, highest });
  const tables: Load["tables"] = {};
  const related = new Map<number, string>();
  let current: { table: CanonicalTable; matcher: Matcher } | undefined;
  let done = 0;
  for await (const { table, rows: given } of inParts(rows)) {
    if (current?.table !== table) {
      if (current?.table === "tasks") await renameRelated(options, context, related);
      current = { table, matcher: makeMatcher(context, table) };
    }
    const prepared = given.map((row) => storable(side.engine, prepare(table, row, context.renamed)));
    onRows(table, prepared);
    const belonging = prepared
      .map((row) => withOwnReferences(context, table, row))
      .filter((row) => row !== undefined);
    const plan = await current.matcher(belonging);
    if (table === "tasks") for (const row of [...plan.rows, ...plan.later]) noteRelated(related, row);
    const added = await write(options, table, plan);
    const sum = tables[table] ?? { added: 0, updated: 0, present: 0, leftOut: 0 };
    tables[table] = {
      added: sum.added + added,
      updated: sum.updated + plan.later.length,
      present: sum.present + plan.present + plan.rows.length - added,
      leftOut: sum.leftOut + plan.leftOut + given.length - belonging.length,
    };
    done += given.length;
    onProgress(done);
  }
  if (current?.table === "tasks") await renameRelated(options, context, related);
  await countAttempts(options, context);
  const { renamed, changedTasks, changedLearnings, knownLearnings } = context;
  const knownTasks = context.listKnown("tasks");
  return { tables, renamed, changedTasks, changedLearnings, knownTasks, knownLearnings };
}

const mostRows = 1_000;
const mostCharacters = 2 * 1024 * 1024;

/** Some rows of one table at a time. */
async function* inParts(
  rows: AsyncIterable<TableRow>,
): AsyncGenerator<{ table: CanonicalTable; rows: Row[] }> {
  let part: { table: CanonicalTable; rows: Row[] } | undefined;
  let size = 0;
  for await (const { table, row } of rows) {
    const isFull = part !== undefined && (part.rows.length >= mostRows || size >= mostCharacters);
    if (part !== undefined && (isFull || part.table !== table)) {
      yield part;
      part = undefined;
      size = 0;
    }
    part ??= { table, rows: [] };
    part.rows.push(row);
    for (const value of Object.values(row))
      if (typeof value === "string" || value instanceof Uint8Array) size += value.length;
  }
  if (part !== undefined) yield part;
}

/** What PostgreSQL refuses, and what becomes other characters in any database, is replaced. */
function storable(engine: RowSide["engine"], row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== "string") continue;
    const whole = value.isWellFormed() ? value : value.toWellFormed();
    const safe = engine === "postgres" ? storableText(whole) : whole;
    if (safe !== value) row[name] = safe;
  }
  return row;
}

/** The row with the numbers of this store; undefined if it belongs to an attempt that is a different one here. */
function withOwnReferences(context: LoadContext, table: CanonicalTable, row: Row): Row | undefined {
  const own = { ...row };
  for (const [column, other] of Object.entries(shapeOf(table).references ?? {})) {
    if (row[column] === null) continue;
    const key = context.ownKey(other, row[column]);
    if (key === undefined && column !== "run_key") return undefined;
    own[column] = key ?? null;
  }
  const isOfOther =
    "attempt_id" in own &&
    "task_number" in own &&
    context.otherAttempts.has(`${own.task_number}/${own.attempt_id}`);
  return isOfOther ? undefined : own;
}

async function write(
  { side, loading }: LoadOptions,
  table: CanonicalTable,
  { rows, later }: Plan,
): Promise<number> {
  if (rows.length + later.length === 0 || loading.write === undefined) return rows.length;
  const added = await loading.write(async (sql) => {
    await replaceRows(sql, side.dialect, table, later);
    return insertRows(sql, side.dialect, table, rows);
  });
  const { key, number } = shapeOf(table);
  // Rows that only say which records belong together may become the same with other numbers.
  if (added === rows.length || (key ?? number) === undefined) return added;
  throw new RalphError("file-unusable", `Of ${rows.length} rows of ${table}, ${added} could be added`, {
    hint: "some are there twice, or another program added them at the same time; try again",
  });
}

const mostAtOnce = 64;

/** Adds rows and leaves out those that are there; returns how many were added. */
async function insertRows(
  sql: Sql,
  { project }: Dialect,
  table: CanonicalTable,
  rows: readonly Row[],
): Promise<number> {
  const columns = Object.keys(shapeOf(table).columns);
  const one = `(${project.value}${columns.map(() => "?").join(", ")})`;
  let added = 0;
  for (let at = 0, size = mostAtOnce; at < rows.length; at += size) {
    // Powers of two, so that there are few different statements, which drivers remember.
    while (size > rows.length - at) size /= 2;
    const some = rows.slice(at, at + size);
    added += await sql.run(
      `INSERT INTO ${table} (${project.column}${columns.join(", ")}) VALUES ${some.map(() => one).join(", ")} ON CONFLICT DO NOTHING`,
      ...some.flatMap((row) => columns.map((name) => row[name] ?? null)),
    );
  }
  return added;
}

async function replaceRows(
  sql: Sql,
  { project }: Dialect,
  table: CanonicalTable,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(shapeOf(table).columns);
  const id = idOf(table);
  const assigned = columns.map((name) => `${name} = ?`).join(", ");
  const isRow = id.map((name) => `${name} = ?`).join(" AND ");
  for (const row of rows)
    await sql.write(
      `UPDATE ${table} SET ${assigned} WHERE ${project.owns(table)} AND ${isRow}`,
      ...[...columns, ...id].map((name) => row[name] ?? null),
    );
}

function noteRelated(related: Map<number, string>, { number, related_tasks: ids }: Row): void {
  if (typeof ids === "string" && ids !== "[]" && ids !== "") related.set(Number(number), ids);
}

/** A task may name one that came after it. */
async function renameRelated(
  { side, loading }: LoadOptions,
  { renamed }: LoadContext,
  related: ReadonlyMap<number, string>,
): Promise<void> {
  const changed = [...related].flatMap(([number, text]) => {
    const ids: unknown = JSON.parse(text);
    const own = Array.isArray(ids) ? JSON.stringify(ids.map((id) => renamed.get(id) ?? id)) : text;
    return own === text ? [] : [{ number, own }];
  });
  if (changed.length === 0) return;
  const update = `UPDATE tasks SET related_tasks = ? WHERE ${side.dialect.project.owns("tasks")} AND number = ?`;
  await loading.write?.(async (sql) => {
    for (const { number, own } of changed) await sql.write(update, own, number);
  });
}

/** A task knows of all its attempts, which are numbered by its count. */
async function countAttempts({ side, loading }: LoadOptions, context: LoadContext): Promise<void> {
  const { project } = side.dialect;
  const last = `(SELECT max(id) FROM attempts WHERE ${project.owns("attempts")} AND task_number = tasks.number)`;
  const update = `UPDATE tasks SET total_attempts = ${last} WHERE ${project.owns("tasks")} AND number = ? AND total_attempts < ${last}`;
  for (const number of context.changedTasks)
    if (context.isKnown("tasks", number)) await loading.write?.((sql) => sql.write(update, number));
}
