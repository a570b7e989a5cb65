import type { Sql } from "./sql.js";

/** What differs between drivers. */
export interface Dialect {
  /** The type of an auto-numbered key column. */
  numberedKey: string;
  /** The type of a binary column. */
  bytes: string;
  /** All values of a group as one UTF-8 text with separators. */
  joinAsBytes(expression: string, separator: string): string;
  createLexicalIndex(sql: Sql): Promise<void>;
}
