import { basename } from "node:path";
import { contentText, listOf, objectOf, textOf } from "../../agents/streams/fields.js";
import { isText } from "../../domain/shape.js";
import type { SessionBuilder } from "../build-session.js";
import type { Recognised, Row, RowFormat } from "../row-format.js";

/** Rows that do not describe work. */
const bookkeeping = new Set([
  ...["system", "attachment", "summary", "file-history-snapshot", "file-history-delta", "queue-operation"],
  ...[
    "last-prompt",
    "mode",
    "permission-mode",
    "custom-title",
    "ai-title",
    "agent-name",
    "agent-color",
    "tag",
  ],
  ...["api-request", "api-request-shape", "api-request-blob", "atis-latch", "tools-used", "cost-state"],
  ...["pr-link", "speculation-accept", "content-replacement", "worktree-state", "marble-origami-commit"],
]);

const interruption = /^\[Request interrupted by user/;
/** The call did not happen: the user refused it, or another call of the same message failed. */
const refusal =
  /^(?:The user doesn't want to (?:proceed|take this action)|The user wants to clarify|\[Request interrupted by user|<tool_use_error>(?:Sibling tool call errored|Cancelled: parallel tool call))/;

const refusalReason = /\bthe user said:\s+([\s\S]+)/;

/** Claude Code's `~/.claude/projects/<folder>/<session>.jsonl`. */
export const claudeRows: RowFormat = {
  recognise,
  open: (build, isSubagent) => ({ read: (row) => readRow(build, row, isSubagent) }),
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A subagent's rows carry the id of the session that started it. */
function recognise(row: Row, path: string): Partial<Recognised> | undefined {
  const { type, sessionId, agentId, isSidechain, cwd, timestamp } = row;
  // Qwen Code's rows are similar, but its messages have parts.
  if (!isText(sessionId) || !isText(type) || row.provenance !== undefined) return undefined;
  const name = basename(path).replace(/\.jsonl$/, "");
  const isHelper = isSidechain === true && isText(agentId);
  return {
    agent: "claude",
    id: isHelper ? agentId : uuid.test(name) ? name : sessionId,
    ...(isHelper && { parent: sessionId }),
    ...(isText(cwd) && { cwd }),
    ...(isText(timestamp) && { started: timestamp }),
  };
}

function readRow(build: SessionBuilder, row: Row, isSubagent: boolean): void {
  const type = textOf(row.type);
  build.at(row.timestamp);
  if (type === "assistant") readAssistant(build, row, isSubagent || row.isSidechain === true);
  else if (type === "user") readUser(build, row, isSubagent || row.isSidechain === true);
  else if (type === "progress") readProgress(build, row);
  else if (!bookkeeping.has(type)) build.countUnknown(type || "without a type");
}

function readAssistant({ run }: SessionBuilder, row: Row, isSubagent: boolean): void {
  // The program's report of a failed request is not the agent's message.
  const isSaid = !isSubagent && row.isApiErrorMessage !== true;
  for (const block of listOf(objectOf(row.message).content)) {
    if (block.type === "text" && isSaid) run.say(textOf(block.text).trim());
    if (block.type === "tool_use")
      run.startTool(textOf(block.id), textOf(block.name) || "tool", block.input, row.timestamp);
  }
}

function readUser(build: SessionBuilder, row: Row, isSubagent: boolean): void {
  const { content } = objectOf(row.message);
  const blocks = listOf(content);
  const results = blocks.filter(({ type }) => type === "tool_result");
  for (const { tool_use_id: id, content: result, is_error: isError } of results) {
    const output = contentText(result);
    if (isError !== true) build.run.endTool(textOf(id), { isSuccess: true, output }, row.timestamp);
    else if (refusal.test(output)) refuse(build, textOf(id), isSubagent ? "" : output);
    else build.run.endTool(textOf(id), { isSuccess: false, error: output }, row.timestamp);
  }
  if (isSubagent) return;
  const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => textOf(text));
  const text = typeof content === "string" ? content : texts.join("\n");
  if (interruption.test(text)) build.interrupt();
  else if (results.length === 0 && isByPerson(row)) build.prompt(text);
}

/** What a user says with a refusal is a prompt. */
function refuse(build: SessionBuilder, id: string, output: string): void {
  build.refuse(id);
  const said = refusalReason.exec(output)?.[1];
  if (said !== undefined) build.prompt(said);
}

function isByPerson({
  isMeta,
  isCompactSummary,
  isVisibleInTranscriptOnly,
  promptSource,
  origin,
  turnOrigin,
}: Row): boolean {
  const kind = textOf(objectOf(origin).kind);
  return (
    isMeta !== true &&
    isCompactSummary !== true &&
    isVisibleInTranscriptOnly !== true &&
    promptSource !== "system" &&
    turnOrigin !== "task_notification" &&
    (kind === "" || kind === "human" || kind === "user")
  );
}

/** Older versions repeat a subagent's messages in its session. */
function readProgress(build: SessionBuilder, { data }: Row): void {
  const { type, message } = objectOf(data);
  if (type !== "agent_progress") return;
  const row = objectOf(message);
  if (row.type === "assistant") readAssistant(build, row, true);
  else if (row.type === "user") readUser(build, row, true);
}
