import { expect, it } from "vitest";
import type { Sql } from "../../../src/store/sql.js";
import { openSqliteStore, sqlitePath } from "../../../src/store/sqlite/open-sqlite-store.js";
import { rowsInParts } from "../../../src/store/sqlite/repair/scrub-records.js";
import { SqliteConnection } from "../../../src/store/sqlite/sqlite-connection.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { scratchFolder } from "../../support/scratch.js";

async function numbersIn(sql: Sql, table: string): Promise<number[]> {
  const numbers: number[] = [];
  for await (const rows of rowsInParts(sql, table)) numbers.push(...rows.map(({ row_at }) => row_at));
  return numbers;
}

it("gives every row of a table that is larger than a part, once", async () => {
  const directory = scratchFolder();
  await (await openSqliteStore({ directory })).close();
  const path = sqlitePath(directory);
  const connection = new SqliteConnection((await loadSqliteEngine()).open(path), { path, busyTimeoutMs: 0 });
  const count = 1234;
  await connection.exec(
    `WITH RECURSIVE each(n) AS (SELECT -5 UNION ALL SELECT n + 1 FROM each LIMIT ${count})
      INSERT INTO deleted_notes (rowid, id, time) SELECT n, 'mem-' || n, 'now' FROM each`,
  );
  expect(await numbersIn(connection.sql, "deleted_notes")).toEqual(
    Array.from({ length: count }, (_, index) => index - 5),
  );
  await connection.close();
});

it("ends in a damaged tree, whose rows go back", async () => {
  const sql = { all: async () => [{ row_at: 7 }, { row_at: 3 }] } as unknown as Sql;
  expect(await numbersIn(sql, "tasks")).toEqual([7, 3, 7, 3]);
});
