import { closeSync, fstatSync, readSync } from "node:fs";
import { splitJsonLines } from "../agents/streams/json-lines.js";
import { isObject, isText } from "../domain/shape.js";
import { withFileErrors } from "../files/file-problem.js";
import { openRegularFile } from "../files/read-regular-file.js";
import { buildSession } from "./build-session.js";
import { claudeRows } from "./readers/claude.js";
import { codexRows } from "./readers/codex.js";
import { geminiRows } from "./readers/gemini.js";
import type { Recognised, Row, RowFormat } from "./row-format.js";
import type { ReadTranscript, TranscriptAgent } from "./session.js";

/** The agents that write JSON lines. */
const formats = { codex: codexRows, gemini: geminiRows, claude: claudeRows } satisfies Partial<
  Record<TranscriptAgent, RowFormat>
>;

const peekBytes = 64 * 1024;
const maxPeekedRows = 200;

/** Identifies the agent of a transcript; undefined for other files. */
export function recogniseTranscript(path: string): Recognised | undefined {
  const found: Partial<Recognised> = {};
  let count = 0;
  readRows(
    path,
    (row) => {
      count += 1;
      for (const { recognise } of Object.values(formats)) {
        const recognised = recognise(row, path);
        if (recognised === undefined) continue;
        // Earlier rows take precedence.
        const fresh = Object.entries(recognised).filter(([name]) => !found[name as keyof Recognised]);
        Object.assign(found, Object.fromEntries(fresh));
        break;
      }
      const isKnown = found.agent !== undefined && isText(found.cwd) && isText(found.started);
      return !isKnown && count < maxPeekedRows;
    },
    peekBytes,
  );
  const { agent, id, parent, started = "" } = found;
  if (agent === undefined || id === undefined) return undefined;
  return { agent, id, cwd: found.cwd || (formatOf(agent)?.findFolder?.(path) ?? ""), parent, started };
}

function formatOf(agent: TranscriptAgent): RowFormat | undefined {
  return agent === "opencode" ? undefined : formats[agent];
}

/** Reads the transcript of an agent that writes JSON lines. */
export function readTranscriptFile(
  path: string,
  { agent, id, cwd, parent }: Recognised,
  now: Date,
  seen = new Set<string>(),
): ReadTranscript {
  const build = buildSession(id, now.getTime());
  const reader = formatOf(agent)?.open(build, parent !== undefined);
  const rows = readRows(path, (row) => {
    if (!isRepeated(row, seen)) reader?.read(row);
  });
  reader?.finish?.();
  const { unknown, ...built } = build.finish();
  return { session: { agent, id, cwd, subagents: 0, ...built }, unknown, ...rows };
}

/** Only Claude Code gives each message its own id. */
function isRepeated({ type, uuid }: Row, seen: Set<string>): boolean {
  if (typeof uuid !== "string" || (type !== "user" && type !== "assistant")) return false;
  if (seen.has(uuid)) return true;
  seen.add(uuid);
  return false;
}

interface ReadRows {
  unreadable: number;
  isCutShort: boolean;
}

const defaultChunkBytes = 1024 * 1024;
/** Rows with pictures are large. */
const maxRowBytes = 64 * 1024 * 1024;

/** Reads a file of JSON lines in chunks; `onRow` stops it by returning false. */
function readRows(path: string, onRow: (row: Row) => unknown, chunkBytes = defaultChunkBytes): ReadRows {
  let unreadable = 0;
  let isCutShort = false;
  let isLast = false;
  let isStopped = false;
  const lines = splitJsonLines(maxRowBytes, {
    onLine(line) {
      if (isStopped) return;
      const row = parseRow(line);
      if (row === undefined) {
        unreadable += 1;
        isCutShort = isLast;
      } else if (!isTaken(row)) unreadable += 1;
    },
    onOther: () => {
      unreadable += 1;
    },
    onLongLine: () => {
      unreadable += 1;
    },
  });
  const isTaken = (row: Row): boolean => {
    try {
      isStopped = onRow(row) === false;
      return true;
    } catch (error) {
      // Nested deeper than the stack.
      if (error instanceof RangeError) return false;
      throw error;
    }
  };
  withFileErrors(path, () => {
    const file = openRegularFile(path);
    try {
      // No larger than the file: most are small. Chunks are not reused, because lines refer to parts of them.
      const bytes = Math.min(chunkBytes, fstatSync(file).size + 1);
      let free = Buffer.alloc(0);
      while (!isStopped) {
        if (free.length === 0) free = Buffer.allocUnsafe(bytes);
        const length = readSync(file, free);
        if (length === 0) break;
        lines.push(free.subarray(0, length));
        free = free.subarray(length);
      }
    } finally {
      closeSync(file);
    }
  });
  isLast = true;
  lines.end();
  return { unreadable, isCutShort };
}

function parseRow(line: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
