import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { sqlitePath } from "../../../src/store/sqlite/open-sqlite-store.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";

type Fault = (path: string) => Promise<void> | void;

const faults = {
  async locked(path) {
    const database = (await loadSqliteEngine()).open(path);
    onTestFinished(() => database.close());
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  },
  damaged(path) {
    faults.gone(path);
    writeFileSync(path, "no database at all ".repeat(5000));
  },
  gone(path) {
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  },
} satisfies Record<string, Fault>;

export const databaseFaults = Object.keys(faults) as (keyof typeof faults)[];

/** Brings the database of a project into a state in which nothing can be had from it. */
export async function spoilDatabase(root: string, fault: keyof typeof faults): Promise<void> {
  await faults[fault](sqlitePath(join(root, ".ralph")));
}
