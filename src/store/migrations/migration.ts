import type { Sql } from "../sql.js";

/** What a driver does in its own way when tables are made. */
export interface Dialect {
  /** The type of a column that numbers its rows by itself. */
  numberedKey: string;
  createLexicalIndex(sql: Sql): Promise<void>;
}

/** One step of the schema. Steps are only ever appended: a database in use has taken the earlier ones. */
export interface Migration {
  version: number;
  up(sql: Sql, dialect: Dialect): Promise<void>;
}
