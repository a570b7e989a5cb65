import type { Dialect } from "../../dialect.js";
import type { Sql } from "../../sql.js";
import type { HighestNumbers } from "../read-rows.js";
import type { RowSide } from "../row-side.js";
import type { CanonicalTable, Row } from "../table-shape.js";
import type { KeyMap } from "./key-map.js";
import type { NewKeys } from "./new-keys.js";

/** What loading knows of the rows so far, and of the store that they go to. */
export interface LoadContext {
  sql: Sql;
  dialect: Dialect;
  engine: RowSide["engine"];
  /** False if only told what would be added. */
  isWritten: boolean;
  /** Of the store that the rows come from. */
  highest: HighestNumbers;
  keys: KeyMap;
  newKeys: NewKeys;
  /** Ids of tasks whose number was taken, and their new ones. */
  renamed: Map<string, string>;
  /** Learnings that stay as they are here, or deleted. */
  ownLearnings: Set<string>;
  /** Attempts that are different ones here, as `7/2`. */
  otherAttempts: Set<string>;
  /** Tasks of this store to be indexed again. */
  changedTasks: Set<number>;
  changedLearnings: Set<string>;
  /** That were here before. */
  knownLearnings: Set<string>;
  /** Whether the table had no rows before. */
  wasEmpty(table: CanonicalTable): Promise<boolean>;
}

/** What becomes of some rows of one table. */
export interface Plan {
  /** To be added, as they will be here. */
  rows: Row[];
  /** That are here in an earlier version, as they will be. */
  later: Row[];
  /** That are here already. */
  present: number;
  /** That cannot be added, since this store has or had something else in their place. */
  leftOut: number;
}
