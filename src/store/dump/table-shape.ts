import type { SqlValue } from "../sql.js";
import type { canonicalTables } from "../tables.js";
import type { Column } from "./columns.js";

/** Those of a dump: what waits for a server is meant for that server, and delivered by this machine. */
export type CanonicalTable = Exclude<(typeof canonicalTables)[number], "outbox">;

export type Row = Record<string, SqlValue>;

/** One row, and where it stands, for messages. */
export interface TableRow {
  table: CanonicalTable;
  row: Row;
  place?: string;
}

/** What a table is made of, and how its rows are told from each other. */
export interface TableShape {
  columns: Readonly<Record<string, Column>>;
  /** The columns by which rows are read: what belongs to one record comes together, in the order of storing. */
  order: readonly string[];
  /** A number that means nothing outside of the store: another store may give the row another one. */
  key?: string;
  /** Columns that hold the key of a row of another table. */
  references?: Readonly<Record<string, CanonicalTable>>;
  group?: RowGroup;
  /** Columns that tell which of two versions of a row is the later one; the first that differ decide. */
  progress?: readonly string[];
}

/** Rows that have no id of their own: two of one record are the same if they say the same. */
export interface RowGroup {
  /** The column that says to which record they belong. */
  by: string;
  identity: readonly string[];
  /** A column that tells a row from the others if it has a value. */
  name?: string;
  /** A table that holds the same rows in another form. */
  excludedBy?: CanonicalTable;
  /** Rows of one record do not come together. */
  isScattered?: true;
}
