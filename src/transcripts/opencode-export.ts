import { listOf, objectOf, textOf } from "../agents/streams/fields.js";
import { readRegularFile } from "../files/read-regular-file.js";
import { buildSession } from "./build-session.js";
import type { Row } from "./read-rows.js";
import { readOpencodeMessage } from "./readers/opencode.js";
import type { ReadTranscript, Transcript } from "./session.js";

const maxBytes = 64 * 1024 * 1024;

/** What `opencode export` writes; nothing if the file is something else. */
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

/** What a session says of itself. */
export function opencodeSession({ id, directory, parentID: parent, time }: Row) {
  const created = objectOf(time).created;
  return {
    agent: "opencode" as const,
    id: textOf(id),
    cwd: textOf(directory),
    ...(typeof parent === "string" && { parent }),
    started: typeof created === "number" ? isoTime(created) : "",
  };
}

export function readOpencodeSession(
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
