import type { RowSide } from "../dump/row-side.js";
import { dumpedTables } from "../dump/table-shapes.js";
import { SqliteConnection } from "./sqlite-connection.js";
import type { SqliteEngine } from "./sqlite-driver.js";
import { sqliteDialect, sqliteRepositories } from "./sqlite-repositories.js";

interface SqliteRowSideOptions {
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
      const repositories = sqliteRepositories(sql);
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
    async atOneMoment(work) {
      if (isInMemory) return work(connection.sql);
      // A connection of its own sees nothing of what is written meanwhile and keeps nobody from writing.
      const reading = new SqliteConnection(engine.open(path, { readOnly: true }), {
        path,
        busyTimeoutMs: 30_000,
      });
      try {
        await reading.exec("BEGIN");
        return await work(reading.sql);
      } finally {
        await reading.close();
      }
    },
    load,
    loadAtOnce: load,
  };
}
