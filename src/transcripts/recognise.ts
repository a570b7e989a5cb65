import { basename, dirname, join } from "node:path";
import { objectOf, textOf } from "../agents/streams/fields.js";
import { RalphError } from "../domain/ralph-error.js";
import { isObject, isText } from "../domain/shape.js";
import { readRegularFile } from "../files/read-regular-file.js";
import { type Row, readRows } from "./read-rows.js";
import { geminiFolder } from "./readers/gemini.js";
import type { Transcript, TranscriptAgent } from "./session.js";

/** What the first rows of a transcript tell. */
export type Recognised = Pick<Transcript, "agent" | "id" | "cwd" | "parent" | "started">;

const peekBytes = 64 * 1024;
const maxPeekedRows = 200;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whose transcript a file is; undefined for other files. */
export function recogniseTranscript(path: string): Recognised | undefined {
  let found: Partial<Recognised> = {};
  let count = 0;
  readRows(
    path,
    (row) => {
      count += 1;
      found = { ...recogniseRow(path, row), ...defined(found) };
      const isKnown = found.agent !== undefined && isText(found.cwd) && isText(found.started);
      return !isKnown && count < maxPeekedRows;
    },
    peekBytes,
  );
  const { agent, id, cwd = "", parent, started = "" } = found;
  if (agent === undefined || id === undefined) return undefined;
  return { agent, id, cwd: cwd || folderOf(agent, path), parent, started };
}

function recogniseRow(path: string, row: Row): Partial<Recognised> {
  const { type, payload, sessionId, timestamp } = row;
  if (type === "session_meta" && isObject(payload)) return recogniseCodex(payload, textOf(timestamp));
  if (isText(sessionId) && isText(row.projectHash)) {
    const parent = row.kind === "subagent" ? basename(dirname(path)) : undefined;
    return { agent: "gemini", id: sessionId, parent, started: textOf(row.startTime) };
  }
  // Qwen Code's rows are alike, but its messages have parts.
  const isClaude = isText(sessionId) && isText(type) && row.provenance === undefined;
  if (isClaude) return recogniseClaude(path, row);
  const cwd = geminiFolder(row);
  return cwd === undefined ? {} : { cwd };
}

/** A helper's rows carry the id of the session that started it. */
function recogniseClaude(path: string, { sessionId, agentId, isSidechain, cwd, timestamp }: Row) {
  const name = basename(path).replace(/\.jsonl$/, "");
  const isHelper = isSidechain === true && isText(agentId);
  const own = uuid.test(name) ? name : textOf(sessionId);
  return {
    agent: "claude" as const,
    id: isHelper ? textOf(agentId) : own,
    ...(isHelper && { parent: textOf(sessionId) }),
    ...(isText(cwd) && { cwd }),
    ...(isText(timestamp) && { started: timestamp }),
  };
}

function recogniseCodex(payload: Row, time: string): Partial<Recognised> {
  const spawned = objectOf(objectOf(objectOf(payload.source).subagent).thread_spawn);
  const parent = textOf(payload.parent_thread_id) || textOf(spawned.parent_thread_id);
  return {
    agent: "codex",
    id: textOf(payload.id),
    cwd: textOf(payload.cwd),
    ...(parent !== "" && { parent }),
    started: textOf(payload.timestamp) || time,
  };
}

/** Gemini keeps the folder beside its chats. */
function folderOf(agent: TranscriptAgent, path: string): string {
  if (agent !== "gemini") return "";
  try {
    return readRegularFile(join(dirname(path), "..", ".project_root"))
      .toString("utf8")
      .trim();
  } catch (error) {
    if (error instanceof RalphError) return "";
    throw error;
  }
}

function defined<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ""),
  ) as Partial<Values>;
}
