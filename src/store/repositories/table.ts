import type { Dialect } from "../dialect.js";
import { placeholders, type Sql, type SqlValue, valuesPerStatement } from "../sql.js";
import { parseStored } from "../stored-text.js";

/** Values by column. Objects are stored as JSON, booleans as 0 or 1, what is undefined as NULL. */
type Values = Readonly<Record<string, SqlValue | boolean | object | undefined>>;

/** How the columns of a row become the fields of a record; NULL columns are left out. */
interface Decoding {
  json?: readonly string[];
  booleans?: readonly string[];
}

/** The statements about one table, each of which names the project whose rows it means. */
export function tableOf(
  sql: Sql,
  { project }: Pick<Dialect, "project">,
  name: string,
  decoding: Decoding = {},
) {
  const owned = `FROM ${name} WHERE ${project.owns(name)}`;
  const insertion = (values: Values, end = "") => {
    const columns = Object.keys(values);
    return `INSERT INTO ${name} (${project.column}${columns.join(", ")}) VALUES (${project.value}${columns.map(() => "?").join(", ")}) ${end}`;
  };
  const conflict = (key: readonly string[]) => `ON CONFLICT (${project.column}${key.join(", ")})`;
  const all = <Row>(columns: string, rest = "", ...values: SqlValue[]) =>
    sql.all<Row>(`SELECT ${columns} ${owned} ${rest}`, ...values);
  const get = <Row>(columns: string, rest = "", ...values: SqlValue[]) =>
    sql.get<Row>(`SELECT ${columns} ${owned} ${rest}`, ...values);
  const list = async <Record>(columns: string, rest = "", ...values: SqlValue[]): Promise<Record[]> =>
    (await all<object>(columns, rest, ...values)).map((row) => decode<Record>(row, decoding));
  return {
    /** Rows as they are stored; `rest` goes on behind the condition that names the project. */
    all,
    get,
    /** Rows as records. */
    list,
    async find<Record>(columns: string, rest: string, ...values: SqlValue[]): Promise<Record | undefined> {
      const row = await get<object>(columns, rest, ...values);
      return row && decode<Record>(row, decoding);
    },
    /** The records that have one of some values in a column. */
    async listIn<Record>(
      columns: string,
      column: string,
      values: readonly SqlValue[],
      rest = "",
      ...others: SqlValue[]
    ): Promise<Record[]> {
      const found: Record[] = [];
      for (let at = 0; at < values.length; at += valuesPerStatement) {
        const some = values.slice(at, at + valuesPerStatement);
        const condition = `AND ${column} IN ${placeholders(some)} ${rest}`;
        found.push(...(await list<Record>(columns, condition, ...some, ...others)));
      }
      return found;
    },
    async count(rest = "", ...values: SqlValue[]): Promise<number> {
      return (await get<{ count: number }>("count(*) AS count", rest, ...values))?.count ?? 0;
    },
    async highest(column: string, rest = ""): Promise<number> {
      return (await get<{ highest: number | null }>(`max(${column}) AS highest`, rest))?.highest ?? 0;
    },
    insert: (values: Values) => sql.write(insertion(values), ...encode(values)),
    /** Returns the key. */
    insertWithKey: (keyColumn: string, values: Values) =>
      sql.insert(keyColumn, insertion(values), ...encode(values)),
    /** Does nothing if there is a row with the same key. */
    insertMissing: (key: readonly string[], values: Values) =>
      sql.write(insertion(values, `${conflict(key)} DO NOTHING`), ...encode(values)),
    /** The same, and says whether there was none. */
    async insertedMissing(key: readonly string[], values: Values): Promise<boolean> {
      return (await sql.run(insertion(values, `${conflict(key)} DO NOTHING`), ...encode(values))) > 0;
    },
    /** Replaces a row with the same key. */
    save(key: readonly string[], values: Values) {
      const others = Object.keys(values).filter((column) => !key.includes(column));
      const update = others.map((column) => `${column} = excluded.${column}`).join(", ");
      return sql.write(insertion(values, `${conflict(key)} DO UPDATE SET ${update}`), ...encode(values));
    },
    update: (values: Values, rest: string, ...others: SqlValue[]) =>
      sql.write(
        `UPDATE ${name} SET ${Object.keys(values)
          .map((column) => `${column} = ?`)
          .join(", ")} WHERE ${project.owns(name)} ${rest}`,
        ...encode(values),
        ...others,
      ),
    /** Updates with expressions. */
    change: (assignments: string, rest: string, ...values: SqlValue[]) =>
      sql.write(`UPDATE ${name} SET ${assignments} WHERE ${project.owns(name)} ${rest}`, ...values),
    remove: (rest = "", ...values: SqlValue[]) => sql.write(`DELETE ${owned} ${rest}`, ...values),
    /** Returns how many were removed. */
    removeCounting: (rest: string, ...values: SqlValue[]) => sql.run(`DELETE ${owned} ${rest}`, ...values),
  };
}

/** Tables that only this machine has, with the rows of one project. */
export const localTables: Pick<Dialect, "project"> = {
  project: { column: "", value: "", owns: () => "TRUE" },
};

function encode(values: Values): SqlValue[] {
  return Object.values(values).map((value) => {
    if (value === undefined || value === null) return null;
    if (typeof value === "boolean") return value ? 1 : 0;
    if (typeof value === "object" && !(value instanceof Uint8Array)) return JSON.stringify(value);
    return value;
  });
}

export function decode<Record>(row: object, { json = [], booleans = [] }: Decoding): Record {
  const record: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(row)) {
    if (value === null) continue;
    if (json.includes(name)) record[name] = parseStored(String(value));
    else record[name] = booleans.includes(name) ? value === 1 : value;
  }
  return record as Record;
}

/** A condition: the rows of all attempts at a task, whose number is the next value. */
export function ofTask({ project }: Dialect): string {
  return `AND attempt_key IN (SELECT attempt_key FROM attempts WHERE ${project.owns("attempts")} AND task_number = ?)`;
}

/** Records by the attempt that they belong to, in their order. */
export function byAttempt<Record extends object>(
  rows: readonly (Record & { attempt_key: number })[],
): Map<number, Omit<Record, "attempt_key">[]> {
  const records = new Map<number, Omit<Record, "attempt_key">[]>();
  for (const { attempt_key: key, ...record } of rows) {
    const known = records.get(key);
    if (known === undefined) records.set(key, [record]);
    else known.push(record);
  }
  return records;
}
