import { RalphError } from "../../../domain/ralph-error.js";
import { storableText } from "../../storable-text.js";
import { shapeOf } from "../all-tables.js";
import type { HighestNumbers } from "../read-rows.js";
import type { RowLoading, RowSide } from "../row-side.js";
import type { CanonicalTable, Row, TableRow } from "../table-shape.js";
import { insertRows, replaceRows } from "./insert-rows.js";
import { KeyMap } from "./key-map.js";
import type { LoadContext, Plan } from "./load-context.js";
import { makeNewKeys } from "./new-keys.js";
import { inParts, type Part } from "./parts.js";
import { makeAttemptPlanner } from "./plan-attempts.js";
import { makeGroupPlanner } from "./plan-groups.js";
import { makeHandoffPlanner } from "./plan-handoffs.js";
import { makeLearningPlanner } from "./plan-learnings.js";
import { idOf, makePlainPlanner } from "./plan-plain.js";
import { makeTaskPlanner } from "./plan-tasks.js";

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
  const { side, prepare, onRows = () => undefined, onProgress = () => undefined } = options;
  const context = makeContext(options);
  const planners = new Map<CanonicalTable, Planner>();
  const tables: Load["tables"] = {};
  const related = new Map<number, string>();
  let current: CanonicalTable | undefined;
  let done = 0;
  for await (const { table, rows: given } of inParts(rows)) {
    if (current === "tasks" && table !== "tasks") await renameRelated(options, context, related);
    current = table;
    const prepared = given.map((row) => storable(side.engine, prepare(table, row, context.renamed)));
    onRows(table, prepared);
    const { rows: belonging, leftOut } = belongingHere(context, { table, rows: prepared });
    const planner = planners.get(table) ?? makePlanner(context, table);
    planners.set(table, planner);
    const plan = await planner(belonging);
    if (table === "tasks") for (const row of [...plan.rows, ...plan.later]) noteRelated(related, row);
    const added = await add(options, table, plan);
    const sum = tables[table] ?? { added: 0, updated: 0, present: 0, leftOut: 0 };
    tables[table] = {
      added: sum.added + added,
      updated: sum.updated + plan.later.length,
      present: sum.present + plan.present + plan.rows.length - added,
      leftOut: sum.leftOut + plan.leftOut + leftOut,
    };
    done += given.length;
    onProgress(done);
  }
  if (current === "tasks") await renameRelated(options, context, related);
  await countAttempts(options, context);
  const { renamed, changedTasks, changedLearnings, knownLearnings } = context;
  const knownTasks = context.keys.listKnown("tasks");
  return { tables, renamed, changedTasks, changedLearnings, knownTasks, knownLearnings };
}

type Planner = (rows: readonly Row[]) => Promise<Plan>;

function makePlanner(context: LoadContext, table: CanonicalTable): Planner {
  const { group } = shapeOf(table);
  if (group !== undefined) return makeGroupPlanner(context, table, group);
  if (table === "tasks") return makeTaskPlanner(context);
  if (table === "attempts") return makeAttemptPlanner(context);
  if (table === "learnings") return makeLearningPlanner(context);
  if (table === "handoffs") return makeHandoffPlanner(context);
  return makePlainPlanner(context, table);
}

function makeContext({ side: { dialect, engine }, loading, highest }: LoadOptions): LoadContext {
  const sql = loading.read;
  const isWritten = loading.write !== undefined;
  const empty = new Map<CanonicalTable, Promise<boolean>>();
  const isEmpty = async (table: CanonicalTable) =>
    (await sql.get(`SELECT 1 AS one FROM ${table} WHERE ${dialect.project.owns(table)} LIMIT 1`)) ===
    undefined;
  return {
    ...{ sql, dialect, engine, isWritten, highest },
    keys: new KeyMap(),
    newKeys: makeNewKeys({ sql, dialect, engine, isWritten }),
    renamed: new Map(),
    ownLearnings: new Set(),
    otherAttempts: new Set(),
    changedTasks: new Set(),
    changedLearnings: new Set(),
    knownLearnings: new Set(),
    wasEmpty(table) {
      const known = empty.get(table) ?? isEmpty(table);
      empty.set(table, known);
      return known;
    },
  };
}

/** The rows with the numbers of this store, without those of attempts that are different ones here. */
function belongingHere(context: LoadContext, { table, rows }: Part): { rows: Row[]; leftOut: number } {
  const references = Object.entries(shapeOf(table).references ?? {});
  const belonging = rows.flatMap((row) => {
    const own = { ...row };
    for (const [column, other] of references) {
      if (row[column] === null) continue;
      const key = context.keys.find(other, row[column]);
      if (key === undefined && column !== "run_key") return [];
      own[column] = key ?? null;
    }
    const isOfOther =
      "attempt_id" in own &&
      "task_number" in own &&
      context.otherAttempts.has(`${own.task_number}/${own.attempt_id}`);
    return isOfOther ? [] : [own];
  });
  return { rows: belonging, leftOut: rows.length - belonging.length };
}

async function add(
  { side, loading }: LoadOptions,
  table: CanonicalTable,
  { rows, later }: Plan,
): Promise<number> {
  if (rows.length + later.length === 0 || loading.write === undefined) return rows.length;
  const { key } = shapeOf(table);
  const id = key === undefined ? idOf(table) : [key];
  const added = await loading.write(async (sql) => {
    await replaceRows(sql, side.dialect, { table, id }, later);
    return insertRows(sql, side.dialect, table, rows);
  });
  // Rows that only say which records belong together may become the same with other numbers.
  if (added === rows.length || !hasNumber(table)) return added;
  throw new RalphError("file-unusable", `Of ${rows.length} rows of ${table}, ${added} could be added`, {
    hint: "some are there twice, or another program added them at the same time; try again",
  });
}

function hasNumber(table: CanonicalTable): boolean {
  return shapeOf(table).key !== undefined || table === "tasks" || table === "handoffs";
}

/** What PostgreSQL refuses, and what becomes other characters in any database. */
function storable(engine: RowSide["engine"], row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== "string") continue;
    const whole = value.isWellFormed() ? value : value.toWellFormed();
    const safe = engine === "postgres" ? storableText(whole) : whole;
    if (safe !== value) row[name] = safe;
  }
  return row;
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
  await loading.write?.(async (sql) => {
    for (const { number, own } of changed)
      await sql.write(
        `UPDATE tasks SET related_tasks = ? WHERE ${side.dialect.project.owns("tasks")} AND number = ?`,
        own,
        number,
      );
  });
}

/** A task knows of all its attempts, which are numbered by its count. */
async function countAttempts({ side, loading }: LoadOptions, context: LoadContext): Promise<void> {
  const { project } = side.dialect;
  const numbers = [...context.changedTasks].filter((number) => context.keys.isKnown("tasks", number));
  const last = `(SELECT max(id) FROM attempts WHERE ${project.owns("attempts")} AND task_number = tasks.number)`;
  for (const number of numbers)
    await loading.write?.((sql) =>
      sql.write(
        `UPDATE tasks SET total_attempts = ${last} WHERE ${project.owns("tasks")} AND number = ? AND total_attempts < ${last}`,
        number,
      ),
    );
}
