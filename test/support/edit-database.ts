import { join } from "node:path";
import { sqlitePath } from "../../src/store/sqlite/open-sqlite-store.js";
import { loadSqliteEngine } from "../../src/store/sqlite/sqlite-driver.js";

/** Changes the database of a project behind Ralph's back. */
export async function editDatabase(root: string, ...statements: string[]): Promise<void> {
  const database = (await loadSqliteEngine()).open(sqlitePath(join(root, ".ralph")));
  database.exec("PRAGMA busy_timeout = 5000");
  for (const statement of statements) database.exec(statement);
  database.close();
}

/** As if the unfinished runs were on another machine, such as a container that is gone. */
export const onAnotherMachine = [
  `UPDATE runs SET runner = json_set(runner, '$.host', 'old-box', '$.boot', 'another', '$.space', 'pid:[1]'),
     agent_process = json_set(agent_process, '$.host', 'old-box', '$.boot', 'another', '$.space', 'pid:[1]')
   WHERE ended IS NULL`,
  `UPDATE attempts SET runner = json_set(runner, '$.host', 'old-box', '$.boot', 'another', '$.space', 'pid:[1]')
   WHERE ended IS NULL`,
];

export const leaseLapses = "UPDATE runs SET lease_until = '2020-01-01T00:00:00.000Z' WHERE ended IS NULL";
