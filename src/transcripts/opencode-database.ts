import { closeSync } from "node:fs";
import { objectOf } from "../agents/streams/fields.js";
import { messageOf, RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { openRegularFile } from "../files/read-regular-file.js";
import { loadSqliteEngine, type SqliteDatabase, type SqliteEngine } from "../store/sqlite/sqlite-driver.js";
import { opencodeSession, readOpencodeSession } from "./opencode-export.js";
import type { Row } from "./read-rows.js";
import type { ReadTranscript, Transcript } from "./session.js";

interface SessionRow {
  id: string;
  parent_id: string | null;
  directory: string;
  time_created: number;
  time_updated: number;
  bytes: number | null;
}

interface DataRow {
  id: string;
  message_id: string;
  data: string;
}

/** The sessions in opencode's own database, which is only read. */
export async function listOpencodeSessions(path: string): Promise<Transcript[]> {
  const engine = await loadSqliteEngine();
  const rows = readDatabase(engine, path, (database) =>
    database
      .prepare(
        `SELECT id, parent_id, directory, time_created, time_updated,
           (SELECT sum(length(data)) FROM part WHERE session_id = session.id) AS bytes
         FROM session ORDER BY time_created, id`,
      )
      .all(),
  ) as SessionRow[];
  return rows.map((row) => {
    const info = {
      id: row.id,
      directory: row.directory,
      ...(row.parent_id !== null && { parentID: row.parent_id }),
      time: { created: row.time_created },
    };
    return {
      ...opencodeSession(info),
      ...{ modifiedMs: Number(row.time_updated), bytes: Number(row.bytes ?? 0), path: `${path}#${row.id}` },
      read: (now) => readSession(engine, path, info, now),
    };
  });
}

function readSession(
  engine: SqliteEngine,
  path: string,
  info: Row & { id: string },
  now: Date,
): ReadTranscript {
  let unreadable = 0;
  const parse = ({ data, id }: DataRow): Row => {
    try {
      return { id, ...objectOf(JSON.parse(data)) };
    } catch {
      unreadable += 1;
      return {};
    }
  };
  const [messages, parts] = readDatabase(engine, path, (database) => [
    database
      .prepare("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id")
      .all(info.id),
    database.prepare("SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id").all(info.id),
  ]) as [DataRow[], DataRow[]];
  const ofMessage = groupByMessage(parts);
  const read = readOpencodeSession(
    info,
    messages.map((message) => [parse(message), (ofMessage.get(message.id) ?? []).map(parse)]),
    now,
  );
  return { ...read, unreadable };
}

function groupByMessage(parts: readonly DataRow[]): Map<string, DataRow[]> {
  const groups = new Map<string, DataRow[]>();
  for (const part of parts) {
    const group = groups.get(part.message_id);
    if (group === undefined) groups.set(part.message_id, [part]);
    else group.push(part);
  }
  return groups;
}

function readDatabase<Result>(
  engine: SqliteEngine,
  path: string,
  read: (database: SqliteDatabase) => Result,
): Result {
  withFileErrors(path, () => closeSync(openRegularFile(path)));
  try {
    const database = engine.open(path, { readOnly: true });
    try {
      return read(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw new RalphError(
      "file-unusable",
      `${path} cannot be read as opencode's database: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}
