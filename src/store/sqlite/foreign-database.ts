import { chmodSync, copyFileSync, mkdtempSync, rmSync, type Stats } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { messageOf, RalphError } from "../../domain/ralph-error.js";
import { withFileErrors } from "../../files/file-problem.js";
import { findStats } from "../../files/find-stats.js";
import { loadSqliteEngine, type SqliteDatabase } from "./sqlite-driver.js";

export interface ForeignDatabase {
  database: SqliteDatabase;
  close(): void;
}

const triesToCopy = 20;
const pauseMs = 100;

/**
 * Another program's database, read from a copy: even a reader would leave files beside it, and the program may have it open.
 * What is only in its log is read too.
 */
export async function openForeignDatabase(path: string): Promise<ForeignDatabase> {
  const engine = await loadSqliteEngine();
  const folder = mkdtempSync(join(tmpdir(), "ralph-import-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = await copyWhole(path, folder);
    const database = engine.open(copy, { readOnly: true });
    const close = () => {
      database.close();
      remove();
    };
    try {
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
    } catch (error) {
      database.close();
      throw error;
    }
    return { database, close };
  } catch (error) {
    remove();
    if (error instanceof RalphError) throw error;
    throw new RalphError("file-unusable", `${path} cannot be read as a database: ${messageOf(error)}`, {
      hint: "close the program that has it open, and try again",
      cause: error,
    });
  }
}

/** Both files as they were at one moment: a writer may move what is in the log to the database meanwhile. */
async function copyWhole(path: string, folder: string): Promise<string> {
  const files = [path, `${path}-wal`];
  const copy = join(folder, "copy.db");
  const journal = findStats(`${path}-journal`);
  for (let tries = 0; tries < triesToCopy && !journal?.size; tries += 1) {
    const before = files.map((file) => findStats(file));
    if (!before[0]?.isFile()) throw new RalphError("not-found", `There is no database ${path}`);
    for (const [index, file] of files.entries()) {
      const target = index === 0 ? copy : `${copy}-wal`;
      rmSync(target, { force: true });
      if (before[index] === undefined) continue;
      withFileErrors(file, () => copyFileSync(file, target));
      chmodSync(target, 0o600);
    }
    if (files.every((file, index) => isSame(before[index], findStats(file)))) return copy;
    await pause(pauseMs);
  }
  throw new RalphError("file-unusable", `${path} is being written to by another program`, {
    hint: "close that program, and try again",
  });
}

function isSame(before: Stats | undefined, after: Stats | undefined): boolean {
  return before?.size === after?.size && before?.mtimeMs === after?.mtimeMs && before?.ino === after?.ino;
}
