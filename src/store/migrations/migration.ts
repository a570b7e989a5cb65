import type { Dialect } from "../dialect.js";
import type { Sql } from "../sql.js";

/** One step of the schema. Steps are only ever appended: a database in use has taken the earlier ones. */
export interface Migration {
  version: number;
  up(sql: Sql, dialect: Dialect): Promise<void>;
}
