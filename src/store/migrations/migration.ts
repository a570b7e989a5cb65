import type { Dialect } from "../dialect.js";
import type { Sql } from "../sql.js";

/** One schema change. Migrations are append-only: existing databases have already run the earlier ones. */
export interface Migration {
  version: number;
  up(sql: Sql, dialect: Dialect): Promise<void>;
}
