import type { Dialect } from "../dialect.js";
import { placeholders, type Sql, type SqlValue } from "../sql.js";
import { type HighestNumbers, highest } from "./read-rows.js";
import type { RowSide } from "./row-side.js";
import { type CanonicalTable, idOf, type Row, shapeOf } from "./table-shapes.js";

interface LoadTarget {
  sql: Sql;
  dialect: Dialect;
  engine: RowSide["engine"];
  /** False if nothing is to be changed. */
  isWritten: boolean;
  /** The highest numbers of the store that the rows come from. */
  highest: HighestNumbers;
}

/** Tables whose rows others refer to. */
const referredTo: readonly CanonicalTable[] = ["tasks", "runs", "attempts", "briefs"];

/** What loading knows of the rows so far, and of the store that they go to. */
export class LoadContext {
  readonly target: LoadTarget;
  /** Ids of tasks whose number was taken, and their new ones. */
  readonly renamed = new Map<string, string>();
  /** Learnings that stay as they are here, or deleted. */
  readonly ownLearnings = new Set<string>();
  /** Attempts that are different ones here, as `7/2`. */
  readonly otherAttempts = new Set<string>();
  /** Tasks and learnings of this store to be indexed again. */
  readonly changedTasks = new Set<number>();
  readonly changedLearnings = new Set<string>();
  /** That were here before. */
  readonly knownLearnings = new Set<string>();
  /** By attempts that were here before. */
  readonly taskOfAttempt = new Map<number, number>();
  readonly #keys = new Map<CanonicalTable, Map<number, number>>();
  readonly #known = new Map<CanonicalTable, Set<number>>();
  readonly #wasEmpty = new Map<CanonicalTable, boolean>();
  readonly #last = new Map<CanonicalTable, number>();
  readonly #given = new Set<string>();

  constructor(target: LoadTarget) {
    this.target = target;
  }

  /** By which number this store knows a row that others refer to. */
  ownKey(table: CanonicalTable, key: unknown): number | undefined {
    return this.#keys.get(table)?.get(Number(key));
  }

  setKey(table: CanonicalTable, key: number, own: number): void {
    if (!referredTo.includes(table)) return;
    this.#keys.set(table, (this.#keys.get(table) ?? new Map()).set(key, own));
  }

  /** The same for a row that was here before. */
  setKnown(table: CanonicalTable, key: number, own: number): void {
    if (!referredTo.includes(table)) return;
    this.setKey(table, key, own);
    this.#known.set(table, (this.#known.get(table) ?? new Set()).add(own));
  }

  isKnown(table: CanonicalTable, own: unknown): boolean {
    return this.#known.get(table)?.has(Number(own)) ?? false;
  }

  listKnown(table: CanonicalTable): number[] {
    return [...(this.#known.get(table) ?? [])];
  }

  /** Whether the table had no rows before. */
  async wasEmpty(table: CanonicalTable): Promise<boolean> {
    const known = this.#wasEmpty.get(table);
    if (known !== undefined) return known;
    const { sql, dialect } = this.target;
    const one = `SELECT 1 AS one FROM ${table} WHERE ${dialect.project.owns(table)} LIMIT 1`;
    const isEmpty = (await sql.get(one)) === undefined;
    this.#wasEmpty.set(table, isEmpty);
    return isEmpty;
  }

  /** The keys that rows will have here, in the order of storing. An empty table takes them as they are. */
  async newKeys(table: CanonicalTable, rows: readonly Row[]): Promise<number[]> {
    const { sql, dialect, engine, isWritten } = this.target;
    const { key = "" } = shapeOf(table);
    if (!isWritten) return rows.map(() => this.#next(table, -1));
    if (engine === "postgres") {
      // All projects of a server share a sequence, which must not come to a key that is taken.
      const taken = await sql.all<{ key: number }>(
        `SELECT nextval(pg_get_serial_sequence('${table}', '${key}')) AS key FROM generate_series(1, ?)`,
        rows.length,
      );
      return taken.map(({ key }) => key);
    }
    if (!this.#last.has(table)) this.#last.set(table, await highest(sql, dialect, table, key));
    if (this.#last.get(table) === 0 && (await this.wasEmpty(table)))
      return rows.map((row) => Number(row[key]));
    return rows.map(() => this.#next(table, 1));
  }

  /** The next number that no record has, here or where the rows come from. */
  async nextNumber(table: "tasks" | "handoffs"): Promise<number> {
    const { sql, dialect, highest: theirs } = this.target;
    if (!this.#last.has(table)) {
      const own = await highest(sql, dialect, table, "number");
      this.#last.set(table, Math.max(own, theirs[table]));
    }
    return this.#next(table, 1);
  }

  /** Whether a number was given to a row of this load. */
  isGiven(table: CanonicalTable, number: number): boolean {
    return this.#given.has(`${table} ${number}`);
  }

  give(table: CanonicalTable, number: number): void {
    this.#given.add(`${table} ${number}`);
  }

  #next(table: CanonicalTable, step: 1 | -1): number {
    const next = (this.#last.get(table) ?? 0) + step;
    this.#last.set(table, next);
    return next;
  }

  /** The values of a column that are there, of those that are looked for. */
  async presentValues(
    table: CanonicalTable,
    column: string,
    values: readonly SqlValue[],
  ): Promise<Set<SqlValue>> {
    const { sql, dialect } = this.target;
    const found = new Set<SqlValue>();
    for (const list of listsOf([...new Set(values)])) {
      const rows = await sql.all<{ value: SqlValue }>(
        `SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${dialect.project.owns(table)} AND ${column} IN ${placeholders(list)}`,
        ...list,
      );
      for (const { value } of rows) found.add(value);
    }
    return found;
  }

  /** The rows that have one of some values in a column, some at a time and in the order of storing. */
  async *rowsWith(table: CanonicalTable, by: string, values: readonly SqlValue[]): AsyncGenerator<Row> {
    const { sql, dialect } = this.target;
    const order = [by, ...idOf(table).filter((name) => name !== by)];
    const select = (condition: string) =>
      `SELECT ${neededColumns(table).join(", ")} FROM ${table} WHERE ${dialect.project.owns(table)} AND ${condition} ORDER BY ${order.join(", ")}`;
    for (const list of listsOf(values.filter((value) => value !== null))) {
      const isListed = `${by} IN ${placeholders(list)}`;
      let rows = await sql.all<Row>(`${select(isListed)} LIMIT ${rowsAtOnce}`, ...list);
      while (rows.length > 0) {
        yield* rows;
        const last = rows.at(-1);
        if (rows.length < rowsAtOnce || last === undefined) break;
        const after = `${isListed} AND (${order.join(", ")}) > ${placeholders(order)}`;
        const from = order.map((name) => last[name] ?? null);
        rows = await sql.all<Row>(`${select(after)} LIMIT ${rowsAtOnce}`, ...list, ...from);
      }
    }
    if (values.includes(null)) yield* await sql.all<Row>(select(`${by} IS NULL`));
  }
}

const rowsAtOnce = 200;

/** Lists are made this long, so that there are few different statements, which drivers remember. */
const listLength = 100;

function listsOf(values: readonly SqlValue[]): SqlValue[][] {
  const lists: SqlValue[][] = [];
  for (let at = 0; at < values.length; at += listLength) {
    const list = values.slice(at, at + listLength);
    const last = list.at(-1) ?? null;
    lists.push([...list, ...Array.from({ length: listLength - list.length }, () => last)]);
  }
  return lists;
}

/** What tells rows and their versions apart. */
function neededColumns(table: CanonicalTable): string[] {
  const { key, number, identity, order, name, progress = [] } = shapeOf(table);
  const own = [key, number, name].filter((column) => column !== undefined);
  return [...new Set([...own, ...(identity ?? order), ...progress, ...(compared[table] ?? [])])];
}

/** Further columns that matching looks at. */
const compared: Partial<Record<CanonicalTable, readonly string[]>> = {
  attempts: ["started", "actions_summary"],
  learnings: ["record"],
};
