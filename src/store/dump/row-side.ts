import type { Dialect } from "../dialect.js";
import type { Sql } from "../sql.js";
import type { Repositories } from "../store.js";
import type { CanonicalTable } from "./table-shapes.js";

/** A database as rows: a store has one of them, a team's store two. */
export interface RowSide {
  engine: "sqlite" | "postgres";
  /** Whose rows are kept in it. */
  tables: readonly CanonicalTable[];
  dialect: Dialect;
  /** All statements of `work` see the rows as they were when it began. */
  atOneMoment<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * For loading many rows. SQLite does all of `work` in one transaction, so that it leaves everything or nothing. A server
   * does each `write` in one, so that others can work and a lost connection costs little; loading again adds what is missing.
   */
  load<Result>(work: (loading: RowLoading) => Promise<Result>): Promise<Result>;
  /** For few rows: all of `work`, which may be repeated, in one transaction. */
  loadAtOnce<Result>(work: (loading: RowLoading) => Promise<Result>): Promise<Result>;
}

export interface RowLoading {
  read: Sql;
  /** `work` may be repeated, and changes nothing but rows. */
  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** For the search index, which is made from records. */
  index(work: (tx: Repositories) => Promise<void>): Promise<void>;
}
