import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { schemaVersion } from "../../../src/store/schema-version.js";
import { allMigrations } from "../../../src/store/sqlite/migrations/all-migrations.js";
import { openSqliteStore, sqlitePath } from "../../../src/store/sqlite/open-sqlite-store.js";
import { repairSqliteStore } from "../../../src/store/sqlite/repair/repair-sqlite-store.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import type { Store } from "../../../src/store/store.js";
import { describeStore } from "../../contract/store-contract.js";
import { collectGarbage } from "../../support/collect-garbage.js";
import { scratchFolder } from "../../support/scratch.js";

async function open(directory: string, busyTimeoutMs?: number): Promise<Store> {
  const store = await openSqliteStore({ directory, ...(busyTimeoutMs !== undefined && { busyTimeoutMs }) });
  onTestFinished(() => store.close());
  return store;
}

describeStore({
  name: "SQLite",
  async openTwo() {
    const directory = join(scratchFolder(), ".ralph");
    return [await open(directory), await open(directory)];
  },
});

describe("an SQLite store", () => {
  it("is readable by its owner alone and ignored by git", async () => {
    const directory = join(scratchFolder(), ".ralph");
    await open(directory);
    expect(statSync(sqlitePath(directory)).mode & 0o777).toBe(0o600);
    expect(statSync(`${sqlitePath(directory)}-wal`).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(directory, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("reports that another process keeps writing", async () => {
    const directory = scratchFolder();
    const [patient, hasty] = [await open(directory), await open(directory, 100)];
    let release = () => {};
    const holding = patient.transaction(async (tx) => {
      await tx.noteFiles.add("x");
      await new Promise<void>((done) => {
        release = done;
      });
    });
    await expect(hasty.noteFiles.add("y")).rejects.toMatchObject({ code: "store-busy" });
    release();
    await holding;
  });

  it("refuses a database of a newer version and leaves it alone", async () => {
    const directory = scratchFolder();
    await (await openSqliteStore({ directory })).close();
    const database = (await loadSqliteEngine()).open(sqlitePath(directory));
    database.exec(`PRAGMA user_version = ${(schemaVersion + 1) * 1000}`);
    database.close();
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: "store-too-new" });
  });

  it("gives up on a file that is replaced whenever it is opened", async () => {
    const directory = scratchFolder();
    const path = sqlitePath(directory);
    let replaced = 0;
    const fillNew = async () => {
      replaced += 1;
      writeFileSync(`${path}.new`, "");
      renameSync(`${path}.new`, path);
      for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
    };
    await expect(openSqliteStore({ directory, fillNew })).rejects.toMatchObject({ code: "file-unusable" });
    expect(replaced).toBe(5);
  });

  it("leaves a log alone that took the place of its own, also when it is collected as garbage", async () => {
    const directory = scratchFolder();
    const log = `${sqlitePath(directory)}-wal`;
    const openAndLeave = async () => {
      const store = await openSqliteStore({ directory });
      await store.noteFiles.add("x");
      copyFileSync(log, `${log}.new`);
      renameSync(`${log}.new`, log);
      await store.close();
    };
    await openAndLeave();
    await collectGarbage();
    expect(existsSync(log)).toBe(true);
  });

  it("rebuilds derived data of an older version and keeps the records", async () => {
    const directory = scratchFolder();
    const first = await openSqliteStore({ directory });
    await first.noteFiles.add("memories.md");
    await first.addedSections.save("memories.md", "fix", "x");
    await first.close();
    const database = (await loadSqliteEngine()).open(sqlitePath(directory));
    database.exec(`PRAGMA user_version = ${schemaVersion * 1000 + 999}`);
    database.close();
    const second = await open(directory);
    expect(await second.noteFiles.list()).toEqual([]);
    expect(await second.addedSections.find("memories.md", "fix")).toBe("x");
    expect(await second.isDerivedFilled()).toBe(false);
    await second.transaction((tx) => tx.markDerivedFilled());
    expect(await second.isDerivedFilled()).toBe(true);
  });

  it("has a migration for each version", () => {
    expect(allMigrations.length).toBe(schemaVersion);
  });
});

describe("repairing a damaged store", () => {
  async function damaged(directory: string, damage: (path: string) => void): Promise<void> {
    const store = await openSqliteStore({ directory });
    await store.deletedNotes.record("mem-1-aaaa", "before the backup");
    await store.backUpIfDue(new Date("2026-01-01T00:00:00Z"));
    await store.deletedNotes.record("mem-2-bbbb", "after the backup");
    await store.close();
    damage(sqlitePath(directory));
  }

  it("restores the newest intact backup and keeps the damaged file", async () => {
    const directory = scratchFolder();
    await damaged(directory, (path) => writeFileSync(path, "this is not a database, not even nearly one"));
    await expect(openSqliteStore({ directory })).rejects.toMatchObject({ code: "store-damaged" });
    const repair = await repairSqliteStore(directory);
    expect(repair).toMatchObject({ backup: { date: "2026-01-01" }, read: 0, fromBackup: 1 });
    expect(repair.incomplete).toContain("tasks");
    expect(readFileSync(repair.keptAs ?? "", "utf8")).toContain("not a database");
    const store = await open(directory);
    expect(await store.findDamage()).toEqual([]);
  });

  it("skips damaged backups, and starts empty if none is intact", async () => {
    const directory = scratchFolder();
    await damaged(directory, (path) => writeFileSync(path, "broken"));
    writeFileSync(join(directory, "backups", "memory-000001-2026-01-01-0.db"), "also broken");
    const repair = await repairSqliteStore(directory);
    expect(repair.backup).toBeUndefined();
    expect(repair).toMatchObject({ read: 0, fromBackup: 0 });
    expect(await (await open(directory)).findDamage()).toEqual([]);
  });

  it("adds the rows that can still be read", async () => {
    const directory = scratchFolder();
    await damaged(directory, () => {});
    const repair = await repairSqliteStore(directory);
    expect(repair).toMatchObject({ read: 2, fromBackup: 0, incomplete: [] });
    const database = (await loadSqliteEngine()).open(sqlitePath(directory), { readOnly: true });
    expect(database.prepare("SELECT id FROM deleted_notes ORDER BY id").all()).toHaveLength(2);
    database.close();
  });

  it("does not touch a database that another process has open", async () => {
    const directory = scratchFolder();
    await open(directory);
    // This process is the one that repairs, so another one has to open the file.
    const { spawn } = await import("node:child_process");
    const holder = spawn(process.execPath, [
      "-e",
      `require("fs").openSync(${JSON.stringify(sqlitePath(directory))}); console.log("open"); setTimeout(() => {}, 60000)`,
    ]);
    onTestFinished(() => void holder.kill("SIGKILL"));
    await new Promise((done) => holder.stdout.once("data", done));
    await expect(repairSqliteStore(directory)).rejects.toMatchObject({ code: "store-busy" });
  });
});
