import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SqliteConnection } from "../../../src/store/sqlite/sqlite-connection.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { scratchFolder } from "../../support/scratch.js";

const [untilMoved, withEachCommit] = [1, 2];

it("syncs each commit, but not of what can be made again", async () => {
  const path = join(scratchFolder(), "memory.db");
  const connection = new SqliteConnection((await loadSqliteEngine()).open(path), { path, busyTimeoutMs: 0 });
  onTestFinished(() => connection.close());
  await connection.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE words (word TEXT)",
  );
  const syncing = async (sql = connection.sql) =>
    (await sql.get<{ synchronous: number }>("PRAGMA synchronous"))?.synchronous;
  const isRebuildable = true;
  expect(await connection.transaction(syncing)).toBe(withEachCommit);
  expect(await connection.transaction(syncing, { isRebuildable })).toBe(untilMoved);
  expect(await syncing()).toBe(withEachCommit);
  const fail = async () => Promise.reject(new Error("no"));
  await expect(connection.transaction(fail, { isRebuildable })).rejects.toThrow();
  expect(await syncing()).toBe(withEachCommit);
});
