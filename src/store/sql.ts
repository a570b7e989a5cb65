export type SqlValue = string | number | Uint8Array | null;

/** Plain SQL with `?` for values, as every driver understands it. */
export interface Sql {
  all<Row>(statement: string, ...values: SqlValue[]): Promise<Row[]>;
  get<Row>(statement: string, ...values: SqlValue[]): Promise<Row | undefined>;
  /** How many rows it changed. */
  run(statement: string, ...values: SqlValue[]): Promise<number>;
}

/** `(?, ?, ?)` for a list of values. */
export function placeholders(values: readonly unknown[]): string {
  return `(${values.map(() => "?").join(", ")})`;
}

/** For LIMIT: more rows than there can be. */
export const noLimit = 2 ** 31 - 1;

/** Drivers limit how many values a statement may have. */
export const valuesPerStatement = 500;
