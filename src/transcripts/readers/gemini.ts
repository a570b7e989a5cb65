import { basename, dirname, join } from "node:path";
import { contentText, listOf, objectOf, textOf } from "../../agents/streams/fields.js";
import { unwrapOutput } from "../../agents/streams/tool-calls.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isText } from "../../domain/shape.js";
import { readRegularFile } from "../../files/read-regular-file.js";
import type { SessionBuilder } from "../build-session.js";
import type { Recognised, Row, RowFormat } from "../row-format.js";

const silentTypes = new Set(["info", "error", "warning", "compression"]);
/** The program's own first message. */
const sessionContext = /^\s*<session_context>/;
const workspace = /Workspace Directories:\*{0,2}\n\s+- (.+)/;

/** Gemini CLI's `~/.gemini/tmp/<name>/chats/session-*.jsonl`: of several rows with one id, the last one counts. */
export const geminiRows: RowFormat = { recognise, findFolder, open: readGemini };

function recognise(row: Row, path: string): Partial<Recognised> | undefined {
  const { sessionId, projectHash, kind, startTime } = row;
  if (!isText(sessionId) || !isText(projectHash)) {
    const cwd = folderIn(row);
    return cwd === undefined ? undefined : { cwd };
  }
  const parent = kind === "subagent" ? basename(dirname(path)) : undefined;
  return { agent: "gemini", id: sessionId, parent, started: textOf(startTime) };
}

/** A file next to the chats also names the folder. */
function findFolder(path: string): string {
  try {
    return readRegularFile(join(dirname(path), "..", ".project_root"))
      .toString("utf8")
      .trim();
  } catch (error) {
    if (error instanceof RalphError) return "";
    throw error;
  }
}

function readGemini(build: SessionBuilder, isSubagent: boolean) {
  const messages = new Map<string, Row>();

  function take(message: Row): void {
    messages.set(textOf(message.id) || `#${messages.size}`, message);
  }

  function rewind(id: string): void {
    if (!messages.has(id)) return;
    const ids = [...messages.keys()];
    for (const later of ids.slice(ids.indexOf(id))) messages.delete(later);
  }

  function readMessage(message: Row): void {
    const { type, timestamp, content } = message;
    build.at(timestamp);
    if (type === "user") readPrompt(content);
    else if (type === "gemini") {
      if (!isSubagent) build.run.say(contentText(content).trim());
      for (const call of listOf(message.toolCalls)) readCall(call, timestamp);
    } else if (!silentTypes.has(textOf(type)))
      build.countUnknown(`message ${textOf(type) || "without a type"}`);
  }

  /** Results come back as messages of the user. */
  function readPrompt(content: unknown): void {
    if (!isSubagent) build.prompt(promptText(content));
  }

  function readCall(call: Row, started: unknown): void {
    const [id, name] = [textOf(call.id), textOf(call.name) || "tool"];
    build.run.startTool(id, name, call.args, started);
    if (call.status === "cancelled") {
      build.refuse(id);
      return;
    }
    const response = objectOf(objectOf(listOf(call.result)[0]?.functionResponse).response);
    const { output, fault = "" } = unwrapOutput(contentText(response.output ?? response.error));
    const isSuccess = call.status !== "error" && fault === "";
    if (isSuccess) build.run.endTool(id, { isSuccess, output }, call.timestamp);
    else
      build.run.endTool(
        id,
        fault === "" ? { isSuccess, error: output } : { isSuccess, output, error: fault },
        call.timestamp,
      );
  }

  return {
    read(row: Row): void {
      const { $set: change, $rewindTo: target } = row;
      if (change !== undefined) for (const message of listOf(objectOf(change).messages)) take(message);
      else if (typeof target === "string") rewind(target);
      else if (typeof row.id === "string" && typeof row.type === "string") take(row);
      else if (typeof row.sessionId !== "string") build.countUnknown(textOf(row.type) || "without a type");
    },
    finish(): void {
      for (const message of messages.values()) readMessage(message);
    },
  };
}

/** The working folder that a session names. */
function folderIn(row: Row): string | undefined {
  const messages = row.$set === undefined ? [row] : listOf(objectOf(row.$set).messages);
  for (const { content } of messages) {
    const text = promptText(content);
    if (sessionContext.test(text)) return workspace.exec(text)?.[1]?.trim();
  }
  return undefined;
}

function promptText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(({ text }) => textOf(text))
    .filter(Boolean)
    .join("\n");
}
