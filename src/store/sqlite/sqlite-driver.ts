import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { readEnd } from "../../files/read-regular-file.js";
import type { SqlValue } from "../sql.js";

/** The part of the `node:sqlite` API used here; both engines have it. */
export interface SqliteStatement {
  all(...values: SqlValue[]): unknown[];
  get(...values: SqlValue[]): unknown;
  run(...values: SqlValue[]): { changes: number | bigint };
}

export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteEngine {
  name: string;
  open(path: string, options?: { readOnly?: boolean }): SqliteDatabase;
}

type DatabaseClass = new (
  path: string,
  options?: { readOnly?: boolean; defensive?: boolean },
) => SqliteDatabase;

const packageName = "@photostructure/sqlite";

/** Node's built-in SQLite from version 24; before that it is experimental or missing, so a package with the same API is used. */
export async function loadSqliteEngine(nodeVersion = process.versions.node): Promise<SqliteEngine> {
  const isBuiltIn = Number.parseInt(nodeVersion, 10) >= 24;
  const { DatabaseSync } = isBuiltIn ? await loadBuiltIn() : await loadPackage();
  return {
    name: isBuiltIn ? "node:sqlite" : packageName,
    open(path, options = {}) {
      refuseSuperJournal(`${path}-journal`);
      return new DatabaseSync(path, { ...options, defensive: true });
    },
  };
}

/** How a journal ends that names another one. */
const superJournalEnd = Buffer.from("d9d505f920a163d7", "hex");

/**
 * SQLite undoes what a journal beside a database says, and then deletes the file that the journal names as the super-journal. Ralph's
 * own transactions have none.
 */
function refuseSuperJournal(path: string): void {
  if (!existsSync(path)) return;
  if (!readEnd(path, superJournalEnd.length).equals(superJournalEnd)) return;
  throw new RalphError("file-unusable", `${path} was not made by Ralph`, { hint: "move it away" });
}

async function loadBuiltIn(): Promise<{ DatabaseSync: DatabaseClass }> {
  const name = "node:sqlite";
  return (await import(name)) as { DatabaseSync: DatabaseClass };
}

async function loadPackage(): Promise<{ DatabaseSync: DatabaseClass }> {
  try {
    return (
      loadBinary(import.meta.dirname) ??
      ((await import("@photostructure/sqlite")) as unknown as { DatabaseSync: DatabaseClass })
    );
  } catch (error) {
    throw new RalphError("missing-package", `The package ${packageName} cannot be loaded on this machine`, {
      hint: `run "npm install ${packageName}" where Ralph is installed, or use Node 24 or newer`,
      cause: error,
    });
  }
}

/**
 * Loads the package's binary directly, which saves most of the package's start-up time. If that fails, the package loads
 * it in its own way.
 */
function loadBinary(from: string): { DatabaseSync: DatabaseClass } | undefined {
  const path = findBinary(from);
  if (path === undefined) return undefined;
  const module = { exports: {} as { DatabaseSync: DatabaseClass } };
  try {
    process.dlopen(module, path);
  } catch {
    return undefined;
  }
  return module.exports;
}

function findBinary(from: string): string | undefined {
  const libc = existsSync("/etc/alpine-release") ? "musl" : "glibc";
  const platform = `${process.platform}-${process.arch}`;
  const file = join(
    "node_modules",
    packageName,
    "prebuilds",
    platform,
    `@photostructure+sqlite.${libc}.node`,
  );
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, file))) return join(folder, file);
    if (folder === dirname(folder)) return undefined;
  }
}
