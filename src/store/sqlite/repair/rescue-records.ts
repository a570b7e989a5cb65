import { renameSync, rmSync } from "node:fs";
import { messageOf, RalphError } from "../../../domain/ralph-error.js";
import { makePrivateDirectory } from "../../../files/private-directory.js";
import { schemaVersion } from "../../schema-version.js";
import type { Rescue } from "../../store.js";
import { copyTo } from "../backup/sqlite-backup.js";
import { type FileIdentity, isSameFile, lookAt, removeLog } from "../database-file.js";
import { foreignObjects } from "../foreign-schema.js";
import type { SqliteConnection } from "../sqlite-connection.js";
import type { SqliteDatabase, SqliteEngine } from "../sqlite-driver.js";
import { isBusy, translateSqliteError } from "../sqlite-errors.js";
import { derivationStep, emptyDerivation } from "../sqlite-version.js";
import { freeName } from "./kept-databases.js";
import { type Merged, mergeRecords } from "./merge-records.js";

export interface LostDatabase {
  engine: SqliteEngine;
  connection: SqliteConnection;
  directory: string;
  path: string;
  /** The files as they were opened. */
  database: FileIdentity;
  log: FileIdentity | undefined;
  hasWritten: boolean;
}

/**
 * Called when the file of an open database was removed, replaced or cut. The connection still reads the old file and its
 * log, so everything recorded can be copied out. Their names belong to the newcomer: SQLite would apply our log to it, so
 * that is taken away before the newcomer is opened, and the old connection is abandoned rather than closed.
 */
export async function rescueRecords(lost: LostDatabase): Promise<Rescue> {
  const { path, database, log } = lost;
  const found = lookAt(path);
  const foundLog = lookAt(`${path}-wal`);
  if (found === undefined) return putBack(lost);
  if (isSameFile(found, database)) {
    if (isSameFile(foundLog, log)) return checkShrunk(lost);
    return foundLog === undefined ? { ...(await putBack(lost)), kind: "log-saved" } : refuseSecondLog(lost);
  }
  lost.connection.abandon();
  if (!lost.hasWritten && found.isFile()) return { kind: "adopted" };
  return joinNewcomer(lost, isSameFile(foundLog, log));
}

/**
 * Always as a new file: connections of one process share what they know of a file's log, and closed ones do so until their
 * statements have been collected as garbage.
 */
async function putBack(lost: LostDatabase): Promise<Rescue> {
  const { connection, directory, path } = lost;
  connection.abandon();
  makePrivateDirectory(directory);
  await copyTo(connection, path, { beforeRename: () => removeLog(path) });
  return { kind: "put-back" };
}

/**
 * VACUUM by another program makes a database smaller, too. If the file was cut, the log and what was read before may still
 * hold everything; what they do not hold is a matter for the doctor.
 */
async function checkShrunk(lost: LostDatabase): Promise<Rescue> {
  const { engine, path } = lost;
  // SQLite would delete the log of an empty database.
  const isEmpty = (lookAt(path)?.size ?? 0) === 0;
  if (!isEmpty && isRalphDatabase(engine, path)) return { kind: "kept" };
  lost.connection.abandon();
  const own = await keepOwn(lost).catch(() => undefined);
  if (own !== undefined && isRalphDatabase(engine, own)) {
    return exchange(path, own);
  }
  if (own !== undefined) rmSync(own);
  throw new RalphError("store-damaged", `The database was cut or overwritten while in use: ${path}`, {
    hint: 'run "ralph doctor --repair", which saves what can be read; your Markdown files are not affected',
  });
}

/** Two logs for one database: whichever is written back last would damage what the other holds. */
async function refuseSecondLog(lost: LostDatabase): Promise<Rescue> {
  lost.connection.abandon();
  const keptAs = await keepOwn(lost);
  throw new RalphError("file-unusable", `The log of ${lost.path} was replaced while in use`, {
    hint: `what was recorded is in ${keptAs}; "ralph doctor --repair" adds it to the database`,
  });
}

async function joinNewcomer(lost: LostDatabase, isOwnLog: boolean): Promise<Rescue> {
  const { engine, path } = lost;
  const own = await keepOwn(lost);
  if (isOwnLog) removeLog(path);
  const isUsable = lookAt(path)?.isFile() === true && isRalphDatabase(engine, path);
  if (!isUsable) return exchange(path, own);
  const merged = mergeInto(engine, path, own);
  if (merged.kind === "unrelated") {
    throw new RalphError(
      "file-unusable",
      `${path} was replaced while in use by a database with other records under the same numbers`,
      {
        hint: `what was recorded is kept in ${own}; put it back under the name of the database to go on with it`,
      },
    );
  }
  rmSync(own);
  return merged;
}

/** What has the name is kept together with its log, which SQLite would otherwise apply to our copy. */
function exchange(path: string, own: string): Rescue {
  const keptAs = freeName(path, "replaced");
  renameSync(path, keptAs);
  if (lookAt(`${path}-wal`) !== undefined) renameSync(`${path}-wal`, `${keptAs}-wal`);
  removeLog(path);
  renameSync(own, path);
  return { kind: "put-back", keptAs };
}

/** The index is filled again with the next opening. */
function mergeInto(engine: SqliteEngine, path: string, own: string): Merged {
  try {
    return withDatabase(engine, path, (newcomer) => {
      const merged = mergeRecords(newcomer, own);
      if (merged.kind === "merged")
        newcomer.exec(`PRAGMA user_version = ${schemaVersion * derivationStep + emptyDerivation}`);
      return merged;
    });
  } catch (error) {
    const known = translateSqliteError(error, path);
    throw new RalphError(
      known instanceof RalphError ? known.code : "file-unusable",
      `${path} was replaced while in use, and what was recorded could not be added: ${messageOf(known)}`,
      { hint: `it is kept in ${own}; "ralph doctor --repair" adds it`, cause: error },
    );
  }
}

async function keepOwn({ connection, path }: LostDatabase): Promise<string> {
  const own = freeName(path, "rescued");
  await copyTo(connection, own);
  return own;
}

/** Whether a file is sound, of this version, and without anything foreign in it. */
function isRalphDatabase(engine: SqliteEngine, path: string): boolean {
  try {
    return withDatabase(engine, path, isSound);
  } catch (error) {
    // Another process works with it.
    return isBusy(error);
  }
}

function isSound(database: SqliteDatabase): boolean {
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (Math.floor(version / derivationStep) !== schemaVersion) return false;
  if (database.prepare(foreignObjects).get() !== undefined) return false;
  const check = database.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
  return check.quick_check === "ok";
}

/** Nothing else can be done meanwhile, so it waits no longer than a writer usually takes. */
const busyTimeoutMs = 2000;

function withDatabase<Result>(
  engine: SqliteEngine,
  path: string,
  work: (database: SqliteDatabase) => Result,
): Result {
  const database = engine.open(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return work(database);
  } finally {
    database.close();
  }
}
