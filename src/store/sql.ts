export type SqlValue = string | number | Uint8Array | null;

/** Plain SQL with `?` placeholders, supported by every driver. */
export interface Sql {
  all<Row>(statement: string, ...values: SqlValue[]): Promise<Row[]>;
  get<Row>(statement: string, ...values: SqlValue[]): Promise<Row | undefined>;
  /** Returns the number of changed rows. */
  run(statement: string, ...values: SqlValue[]): Promise<number>;
  /** Changes rows when nobody asks how many: in a transaction on a server it does not wait, and a failure fails what follows. */
  write(statement: string, ...values: SqlValue[]): Promise<void>;
  /** Inserts one row and returns its key, which is in the given column. */
  insert(keyColumn: string, statement: string, ...values: SqlValue[]): Promise<number>;
}

/** `(?, ?, ?)` for a list of values. */
export function placeholders(values: readonly unknown[]): string {
  return `(${values.map(() => "?").join(", ")})`;
}

/** The values, with the first repeated until their number is a multiple of sixteen: each length is another statement to prepare. */
export function inSixteens<Value>(values: readonly Value[]): readonly Value[] {
  const missing = -values.length & 15;
  const [first] = values;
  return first === undefined ? values : [...values, ...Array<Value>(missing).fill(first)];
}

/** LIMIT value that means unlimited. */
export const noLimit = 2 ** 31 - 1;

/** Drivers limit the number of values in a statement. */
export const valuesPerStatement = 500;
