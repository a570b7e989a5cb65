import { buildSession, type SessionBuilder } from "./build-session.js";
import { type Row, readRows } from "./read-rows.js";
import { readClaudeRow } from "./readers/claude.js";
import { readCodex } from "./readers/codex.js";
import { readGemini } from "./readers/gemini.js";
import type { Recognised } from "./recognise.js";
import type { ReadTranscript } from "./session.js";

interface RowReader {
  read(row: Row): void;
  finish?(): void;
}

/** Reads the transcript of an agent that writes JSON lines. */
export function readTranscriptFile(
  path: string,
  { agent, id, cwd, parent }: Recognised,
  now: Date,
  seen = new Set<string>(),
): ReadTranscript {
  const build = buildSession(id, now.getTime());
  const reader = openReader(agent, build, parent !== undefined);
  const rows = readRows(path, (row) => {
    if (!isRepeated(row, seen)) reader.read(row);
  });
  reader.finish?.();
  const { unknown, ...built } = build.finish();
  return { session: { agent, id, cwd, subagents: 0, ...built }, unknown, ...rows };
}

function openReader(agent: Recognised["agent"], build: SessionBuilder, isSubagent: boolean): RowReader {
  if (agent === "codex") return { read: readCodex(build, isSubagent) };
  if (agent === "gemini") return readGemini(build, isSubagent);
  return { read: (row) => readClaudeRow(build, row, isSubagent) };
}

/** Only Claude Code gives each message an id of its own. */
function isRepeated({ type, uuid }: Row, seen: Set<string>): boolean {
  if (typeof uuid !== "string" || (type !== "user" && type !== "assistant")) return false;
  if (seen.has(uuid)) return true;
  seen.add(uuid);
  return false;
}
