import type { Sql } from "./sql.js";

/** What a driver says in its own way. */
export interface Dialect {
  /** The type of a column that numbers its rows by itself. */
  numberedKey: string;
  /** The type of a column that holds bytes. */
  bytes: string;
  /** All values of a group as one text in UTF-8, a separator between them. */
  joinAsBytes(expression: string, separator: string): string;
  createLexicalIndex(sql: Sql): Promise<void>;
}
