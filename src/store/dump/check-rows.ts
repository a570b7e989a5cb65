import { RalphError } from "../../domain/ralph-error.js";
import { checkValue, isUnreadable } from "./columns.js";
import {
  type CanonicalTable,
  dumpedTables,
  isDumped,
  type Row,
  shapeOf,
  type TableRow,
} from "./table-shapes.js";

/** Passes rows on, each with all of its columns, and throws at the first one that no store could have held. */
export async function* checkedRows(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow> {
  const seen = new SeenRows();
  let last = 0;
  for await (const { table, row: given, place } of rows) {
    try {
      const at = dumpedTables.indexOf(table);
      if (at === -1) throw unusable(`is a row of ${table}, which is no table of a store`);
      if (at < last) throw unusable(`is a row of ${table} behind rows of ${dumpedTables[last]}`);
      last = at;
      const row = wholeRow(table, given);
      seen.add(table, row);
      yield { table, row, ...(place !== undefined && { place }) };
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "file-unusable") throw error;
      throw located(error, place ?? `A row of ${table}`);
    }
  }
}

/** The row with every column of its table, in the order of the table. */
function wholeRow(table: CanonicalTable, given: Row): Row {
  const { columns } = shapeOf(table);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(columns, name));
  if (unknown !== undefined)
    throw unusable(`has a column "${unknown}", which the table ${table} does not have`);
  const row: Row = {};
  for (const [name, column] of Object.entries(columns)) {
    const value = given[name] ?? null;
    checkValue(name, column, value);
    row[name] = value;
  }
  if (table === "learnings") checkLearning(row);
  return row;
}

function checkLearning({ id, record }: Row): void {
  const { id: own, content } = JSON.parse(String(record)) as Record<string, unknown>;
  if (own !== id) throw unusable(`holds the record of another learning than ${id}`);
  if (typeof content !== "object" || content === null) throw unusable("holds a learning that says nothing");
}

/** Remembers what others may refer to, and must not be there twice. */
class SeenRows {
  readonly #keys = new Map<CanonicalTable, Set<number>>();
  readonly #names = new Set<string>();

  add(table: CanonicalTable, row: Row): void {
    const { references = {}, columns } = shapeOf(table);
    for (const [name, other] of Object.entries(references)) {
      const key = row[name];
      const isKnown = this.#keys.get(other)?.has(Number(key)) ?? false;
      // A run that ended long ago may be gone.
      if (!isKnown && columns[name]?.isOptional !== true)
        throw unusable(`refers with "${name}" to a row of ${other} that is not there`);
    }
    const key = ownKeys[table];
    if (key !== undefined) this.#addKey(table, Number(row[key]));
    if (table === "tasks") this.#addName(`task ${row.uuid}`);
    if (table === "attempts") this.#addName(`attempt ${row.task_number}/${row.id}`);
  }

  #addKey(table: CanonicalTable, key: number): void {
    const known = this.#keys.get(table) ?? new Set();
    if (known.has(key)) throw unusable(`is a second row of ${table} with the number ${key}`);
    if (key < 1) throw unusable(`has the number ${key}, which no row has`);
    this.#keys.set(table, known.add(key));
  }

  #addName(name: string): void {
    if (this.#names.has(name)) throw unusable(`is a second ${name}`);
    this.#names.add(name);
  }
}

const ownKeys: Partial<Record<CanonicalTable, string>> = {
  tasks: "number",
  runs: "run_key",
  attempts: "attempt_key",
  briefs: "brief_key",
  handoffs: "number",
};

/** The first column of a stored row that holds JSON or packed actions and cannot be read. */
export function unreadableColumn(table: string, row: Row): string | undefined {
  if (!isDumped(table)) return undefined;
  const columns = Object.entries(shapeOf(table).columns);
  return columns.find(([name, { kind }]) => isUnreadable(kind, row[name] ?? null))?.[0];
}

function unusable(what: string): RalphError {
  return new RalphError("file-unusable", what);
}

function located(error: RalphError, place: string): RalphError {
  const isSentence = /^(?:is|has|holds|refers) /.test(error.message);
  return new RalphError("file-unusable", `${place} ${isSentence ? "" : "is invalid: "}${error.message}`, {
    hint: "nothing was changed",
    cause: error,
  });
}
