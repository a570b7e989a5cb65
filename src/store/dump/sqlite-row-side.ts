import type { Sql } from "../sql.js";
import { SqliteConnection } from "../sqlite/sqlite-connection.js";
import { sqliteDialect } from "../sqlite/sqlite-dialect.js";
import type { SqliteEngine } from "../sqlite/sqlite-driver.js";
import { sqliteRepositories } from "../sqlite/sqlite-repositories.js";
import { dumpedTables } from "./all-tables.js";
import type { RowSide } from "./row-side.js";

export interface SqliteRowSideOptions {
  engine: SqliteEngine;
  connection: SqliteConnection;
  path: string;
  isInMemory: boolean;
  /** Called when records are about to change. */
  onRecord(): void;
}

export function sqliteRowSide(options: SqliteRowSideOptions): RowSide {
  const { engine, connection, path, isInMemory, onRecord } = options;
  const load: RowSide["load"] = (work) =>
    connection.transaction((sql) => {
      onRecord();
      const repositories = sqliteRepositories(sql, { onRecord });
      return work({
        read: sql,
        write: (writing) => writing(sql),
        index: (indexing) => indexing(repositories),
      });
    });
  return {
    engine: "sqlite",
    tables: dumpedTables,
    dialect: sqliteDialect,
    atOneMoment: (work) => (isInMemory ? work(connection.sql) : inSnapshot(engine, path, work)),
    load,
    loadAtOnce: load,
  };
}

/** On a connection of its own, which sees nothing of what is written meanwhile and keeps nobody from writing. */
async function inSnapshot<Result>(
  engine: SqliteEngine,
  path: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const connection = new SqliteConnection(engine.open(path, { readOnly: true }), {
    path,
    busyTimeoutMs: 30_000,
  });
  try {
    await connection.exec("BEGIN");
    return await work(connection.sql);
  } finally {
    await connection.close();
  }
}
