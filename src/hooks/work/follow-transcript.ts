import { closeSync, fstatSync, readSync } from "node:fs";
import { openRegularFile } from "../../files/read-regular-file.js";
import type { AgentSession } from "../session-file.js";

/** With this Gemini CLI begins its record of the context anew, as it does after a compaction. */
const newContext = '\n{"$set":{"messages":';
/** What one turn writes is far less. */
const maxBytes = 32 * 1024 * 1024;

/** Takes notice of what was written since the last prompt: after a compaction nothing that was told is in the context. */
export function followTranscript(session: AgentSession, path: string): AgentSession {
  try {
    const file = openRegularFile(path);
    try {
      const { size } = fstatSync(file);
      const from = session.transcriptBytes ?? size;
      const hasNewContext = writtenSince(file, from, size).includes(newContext);
      return { ...session, transcriptBytes: size, ...(hasNewContext && { shown: [] }) };
    } finally {
      closeSync(file);
    }
  } catch {
    // Without a transcript, nothing is known of a compaction.
    return session;
  }
}

/** Begins with the end of the line before. */
function writtenSince(file: number, from: number, size: number): Buffer {
  const start = Math.max(0, from - 1, size - maxBytes);
  const bytes = Buffer.alloc(Math.max(0, size - start));
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
}
