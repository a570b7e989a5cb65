import { contentText, listOf, objectOf, textOf } from "../../agents/streams/fields.js";
import { unwrapShell } from "../../agents/streams/tool-calls.js";
import { isObject } from "../../domain/shape.js";
import type { SessionBuilder } from "../build-session.js";
import type { Recognised, Row, RowFormat } from "../row-format.js";

/** A call that has no result yet. */
interface Call {
  tool: string;
  params: Record<string, unknown>;
  time: unknown;
}

const silentRows = new Set([
  "session_meta",
  "turn_context",
  "world_state",
  "token_usage_record",
  "compacted",
]);
const silentEvents = new Set([
  ...["task_started", "task_complete", "turn_started", "turn_complete", "token_count", "agent_reasoning"],
  ...["thread_settings_applied", "context_compacted", "thread_rolled_back", "entered_review_mode"],
  ...[
    "exited_review_mode",
    "agent_reasoning_raw_content",
    "undo_completed",
    "warning",
    "thread_name_updated",
  ],
]);
const silentItems = new Set([
  "ContextCompaction",
  "Reasoning",
  "Plan",
  "EnteredReviewMode",
  "ExitedReviewMode",
]);
const silentResponses = new Set(["message", "reasoning", "ghost_snapshot", "compaction", "other"]);
const shellTools = /^(?:exec_command|shell|shell_command|local_shell|container\.exec|unified_exec)$/;
const stillRuns = /^Process running with session ID/m;
const exitCodes = /^(?:Process exited with code|Exit code:) (-?\d+)/m;
const failedCall =
  /^(?:apply_patch verification failed|failed to parse|unsupported call|execution error|aborted)\b/i;

/** Codex's `~/.codex/sessions/**\/rollout-*.jsonl`. */
export const codexRows: RowFormat = {
  recognise,
  open: (build, isSubagent) => ({ read: readCodex(build, isSubagent) }),
};

function recognise({ type, payload, timestamp }: Row): Partial<Recognised> | undefined {
  if (type !== "session_meta" || !isObject(payload)) return undefined;
  const spawned = objectOf(objectOf(objectOf(payload.source).subagent).thread_spawn);
  const parent = textOf(payload.parent_thread_id) || textOf(spawned.parent_thread_id);
  return {
    agent: "codex",
    id: textOf(payload.id),
    cwd: textOf(payload.cwd),
    ...(parent !== "" && { parent }),
    started: textOf(payload.timestamp) || textOf(timestamp),
  };
}

function readCodex(build: SessionBuilder, isSubagent: boolean) {
  const { run } = build;
  const calls = new Map<string, Call>();
  const ended = new Set<string>();

  function end(id: string, call: Call, outcome: Parameters<typeof run.endTool>[1], time: unknown): void {
    ended.add(id);
    calls.delete(id);
    run.startTool(id, call.tool, call.params, call.time);
    run.endTool(id, outcome, time);
  }

  function readItem(item: Row, time: unknown): void {
    const [type, id] = [textOf(item.type), textOf(item.id)];
    const startTime = calls.get(id)?.time ?? time;
    if (type === "UserMessage") readPrompt(contentText(item.content));
    else if (type === "AgentMessage") say(contentText(item.content));
    else if (type === "CommandExecution") endCommand(id, item, startTime, time);
    else if (type === "FileChange") endFiles(id, item, startTime, time);
    else if (type === "McpToolCall") {
      const tool = [textOf(item.server), textOf(item.tool)].filter(Boolean).join(".") || "mcp_tool_call";
      const error = textOf(objectOf(item.error).message);
      const isSuccess = item.status !== "failed" && objectOf(item.result).isError !== true && error === "";
      const output = contentText(objectOf(item.result).content);
      end(
        id,
        { tool, params: objectOf(item.arguments), time: startTime },
        { isSuccess, output, error: isSuccess ? "" : error || output },
        time,
      );
    } else if (type === "WebSearch")
      end(
        id,
        { tool: "web_search", params: { query: item.query }, time: startTime },
        { isSuccess: true },
        time,
      );
    else if (!silentItems.has(type)) build.countUnknown(`item ${type || "without a type"}`);
  }

  function endCommand(id: string, item: Row, startTime: unknown, time: unknown): void {
    const { exit_code: code, status } = item;
    const isSuccess = status !== "failed" && status !== "declined" && (code ?? 0) === 0;
    const params = { command: commandOf(item.command) };
    const call = { tool: "command_execution", params, time: startTime };
    if (status === "declined") {
      calls.delete(id);
      return;
    }
    const error = isSuccess ? "" : typeof code === "number" ? `Exit code ${code}` : "failed";
    const output = textOf(item.aggregated_output) || `${textOf(item.stdout)}${textOf(item.stderr)}`;
    end(id, call, { isSuccess, output, error }, time);
  }

  /** One action per file. */
  function endFiles(id: string, item: Row, startTime: unknown, time: unknown): void {
    const isSuccess = item.status !== "failed" && item.status !== "declined" && item.success !== false;
    const error = isSuccess ? "" : textOf(item.stderr) || "the patch was not applied";
    for (const [at, [path, change]] of Object.entries(objectOf(item.changes)).entries()) {
      const { type: kind, content, unified_diff: diff } = objectOf(change);
      const params = {
        path,
        kind,
        ...(diff !== undefined && { diff }),
        ...(content !== undefined && { content }),
      };
      end(`${id}/${at}`, { tool: "file_change", params, time: startTime }, { isSuccess, error }, time);
    }
    ended.add(id);
    calls.delete(id);
  }

  function readResponse(payload: Row, time: unknown): void {
    const [type, id] = [textOf(payload.type), textOf(payload.call_id)];
    if (type === "function_call" || type === "custom_tool_call" || type === "local_shell_call")
      calls.set(id, callOf(payload, time));
    else if (/_call_output$/.test(type)) readOutput(id, payload.output, time);
    else if (type === "web_search_call") return;
    else if (!silentResponses.has(type)) build.countUnknown(`response ${type || "without a type"}`);
  }

  /** The result of a call without an event. */
  function readOutput(id: string, output: unknown, time: unknown): void {
    const call = calls.get(id);
    if (call === undefined || ended.has(id)) return;
    const { text, code } = resultOf(output);
    if (code === undefined && stillRuns.test(text)) return;
    const isSuccess = code === undefined ? !failedCall.test(text) : code === 0;
    const error = isSuccess ? "" : code === undefined ? text : `Exit code ${code}`;
    end(id, call, { isSuccess, output: text === error ? "" : text, error }, time);
  }

  function readPrompt(text: string): void {
    if (!isSubagent) build.prompt(text);
  }

  function say(text: string): void {
    if (!isSubagent) run.say(text.trim());
  }

  return (row: Row): void => {
    const type = textOf(row.type);
    const payload = objectOf(row.payload);
    build.at(row.timestamp);
    if (type === "response_item") readResponse(payload, row.timestamp);
    else if (type === "event_msg") {
      const event = textOf(payload.type);
      if (event === "item_completed") readItem(objectOf(payload.item), row.timestamp);
      // Versions without items.
      else if (event === "user_message") readPrompt(textOf(payload.message));
      else if (event === "agent_message") say(textOf(payload.message));
      else if (event === "exec_command_end")
        endCommand(textOf(payload.call_id), payload, row.timestamp, row.timestamp);
      else if (event === "patch_apply_end")
        endFiles(textOf(payload.call_id), payload, row.timestamp, row.timestamp);
      else if (event === "turn_aborted") build.interrupt();
      else if (!silentEvents.has(event) && event !== "item_started" && event !== "mcp_tool_call_end")
        build.countUnknown(`event ${event || "without a type"}`);
    } else if (!silentRows.has(type)) build.countUnknown(type || "without a type");
  };
}

function callOf({ name, arguments: text, input, action }: Row, time: unknown): Call {
  const tool = textOf(name) || "local_shell";
  const given: Row = typeof input === "string" ? { input } : { ...objectOf(action), ...parseArguments(text) };
  const command = given.cmd ?? given.command;
  if (!shellTools.test(tool) || command === undefined) return { tool, params: given, time };
  return { tool: "command_execution", params: { command: commandOf(command) }, time };
}

function commandOf(command: unknown): string {
  if (!Array.isArray(command)) return unwrapShell(textOf(command));
  const words = command.filter((word) => typeof word === "string");
  const [, flag, script] = words;
  return words.length === 3 && /^-l?c$/.test(flag ?? "") ? (script ?? "") : words.join(" ");
}

function parseArguments(text: unknown): Row {
  try {
    return objectOf(JSON.parse(textOf(text)));
  } catch {
    return { arguments: text };
  }
}

/** The text of a result, and its exit code, which older versions give as JSON. */
function resultOf(output: unknown): { text: string; code: number | undefined } {
  const text = contentText(Array.isArray(output) ? listOf(output) : output);
  const parsed = text.startsWith("{") ? parseArguments(text) : {};
  const { exit_code: code } = objectOf(parsed.metadata);
  if (typeof code === "number") return { text: textOf(parsed.output), code };
  const found = exitCodes.exec(text)?.[1];
  return {
    text: text.replace(/^[\s\S]*?\nOutput:\n/, ""),
    code: found === undefined ? undefined : Number(found),
  };
}
