import { closeSync } from "node:fs";
import { contentText, listOf, objectOf, textOf } from "../../agents/streams/fields.js";
import { messageOf, RalphError } from "../../domain/ralph-error.js";
import { withFileErrors } from "../../files/file-problem.js";
import { openRegularFile, readRegularFile } from "../../files/read-regular-file.js";
import {
  loadSqliteEngine,
  type SqliteDatabase,
  type SqliteEngine,
} from "../../store/sqlite/sqlite-driver.js";
import { buildSession, type SessionBuilder } from "../build-session.js";
import type { Row } from "../row-format.js";
import type { ReadTranscript, Transcript } from "../session.js";

const maxBytes = 64 * 1024 * 1024;

/** Reads a file written by `opencode export`; empty for any other file. */
export function openOpencodeExport(
  path: string,
  { modifiedMs, bytes }: Pick<Transcript, "modifiedMs" | "bytes">,
): Transcript[] {
  const content = bytes > maxBytes ? {} : parseObject(readRegularFile(path, { maxBytes }).toString("utf8"));
  const info = objectOf(content.info);
  if (typeof info.id !== "string" || !Array.isArray(content.messages)) return [];
  return [
    {
      ...opencodeSession(info),
      ...{ modifiedMs, bytes, path },
      read: (now) =>
        readOpencodeSession(
          info,
          listOf(content.messages).map((message) => [objectOf(message.info), listOf(message.parts)]),
          now,
        ),
    },
  ];
}

/** The properties of a session. */
function opencodeSession({ id, directory, parentID: parent, time }: Row) {
  const created = objectOf(time).created;
  return {
    agent: "opencode" as const,
    id: textOf(id),
    cwd: textOf(directory),
    ...(typeof parent === "string" && { parent }),
    started: typeof created === "number" ? isoTime(created) : "",
  };
}

function readOpencodeSession(
  info: Row,
  messages: readonly [info: Row, parts: readonly Row[]][],
  now: Date,
): ReadTranscript {
  const { agent, id, cwd, parent } = opencodeSession(info);
  const build = buildSession(id, now.getTime());
  for (const [message, parts] of messages) readOpencodeMessage(build, message, parts, parent !== undefined);
  const { unknown, ...built } = build.finish();
  return {
    session: { agent, id, cwd, subagents: 0, ...built },
    ...{ unknown, unreadable: 0, isCutShort: false },
  };
}

function parseObject(text: string): Row {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function isoTime(ms: number): string {
  return ms > 0 && ms < Date.UTC(9999, 0) ? new Date(ms).toISOString() : "";
}

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

const silentParts = new Set([
  ...[
    "step-start",
    "step-finish",
    "reasoning",
    "snapshot",
    "patch",
    "agent",
    "retry",
    "compaction",
    "file",
    "subtask",
  ],
]);

/** A message of opencode with its parts, from its database or an export. */
function readOpencodeMessage(
  build: SessionBuilder,
  info: Row,
  parts: readonly Row[],
  isSubagent: boolean,
): void {
  const isUser = info.role === "user";
  build.at(objectOf(info.time).created);
  if (isUser && !isSubagent)
    build.prompt(
      parts
        .filter(({ type, synthetic, ignored }) => type === "text" && synthetic !== true && ignored !== true)
        .map(({ text }) => textOf(text))
        .join("\n"),
    );
  for (const part of parts) {
    const type = textOf(part.type);
    build.at(objectOf(objectOf(part.state).time).start ?? objectOf(part.time).start);
    if (type === "text") {
      if (!isUser && !isSubagent && info.summary !== true) build.run.say(textOf(part.text).trim());
    } else if (type === "tool") readCall(build, part);
    else if (!silentParts.has(type)) build.countUnknown(`part ${type || "without a type"}`);
  }
  if (objectOf(info.error).name === "MessageAbortedError") build.interrupt();
}

function readCall(build: SessionBuilder, part: Row): void {
  const state = objectOf(part.state);
  const { start, end } = objectOf(state.time);
  const id = textOf(part.callID) || textOf(part.id);
  const tool = textOf(part.tool) || "tool";
  if (state.status !== "completed" && state.status !== "error") return;
  build.run.startTool(id, tool, state.input, start);
  if (state.status === "error" && /rejected permission|dismissed/i.test(textOf(state.error))) {
    build.refuse(id);
    return;
  }
  build.at(end);
  const { exit, output: printed } = objectOf(state.metadata);
  const isExitBad = typeof exit === "number" && exit !== 0;
  const isSuccess = state.status !== "error" && !isExitBad && tool !== "invalid";
  const output = typeof printed === "string" ? printed : contentText(state.output);
  const error = isSuccess ? "" : isExitBad ? `Exit code ${exit}` : textOf(state.error) || output;
  build.run.endTool(id, { isSuccess, output: output === error ? "" : output, error }, end);
}
