import type { MessageReader } from "./agent-event.js";
import { amountOf, contentText, listOf, objectOf, textOf } from "./fields.js";
import type { RunRecord } from "./record-run.js";
import { unwrapShell } from "./tool-calls.js";

type Item = Record<string, unknown>;

/** Items that are tool calls, with the name and parameters of the tool. */
const toolCalls: Record<string, (item: Item) => { tool: string; params: unknown }> = {
  command_execution: ({ command }) => ({
    tool: "command_execution",
    params: { command: unwrapShell(textOf(command)) },
  }),
  mcp_tool_call: ({ server, tool, arguments: params }) => ({
    tool: [textOf(server), textOf(tool)].filter(Boolean).join(".") || "mcp_tool_call",
    params,
  }),
  web_search: ({ query }) => ({ tool: "web_search", params: { query } }),
  collab_tool_call: ({ tool, prompt }) => ({ tool: "task", params: { tool, prompt } }),
};

/** Codex's `exec --json`. */
export function readCodex(run: RunRecord): MessageReader {
  const started = new Set<string>();
  let failure: string | undefined;
  let isComplete = false;
  let turns = 0;
  let [inputTokens, outputTokens] = [0, 0];

  function startItem(item: Item): void {
    if (item.type === "file_change") startFiles(item);
    const type = textOf(item.type);
    const call = Object.hasOwn(toolCalls, type) ? toolCalls[type]?.(item) : undefined;
    if (call === undefined || started.has(textOf(item.id))) return;
    started.add(textOf(item.id));
    run.startTool(textOf(item.id), call.tool, call.params);
  }

  function endItem(item: Item): void {
    if (item.type === "agent_message") run.say(textOf(item.text));
    else if (item.type === "error") run.report(textOf(item.message));
    else if (item.type === "file_change") endFiles(item);
    else if (Object.hasOwn(toolCalls, textOf(item.type))) {
      startItem(item);
      started.delete(textOf(item.id));
      run.endTool(textOf(item.id), outcomeOf(item));
    }
  }

  /** One action per file. */
  function startFiles({ id, changes }: Item): void {
    for (const [at, { path, kind }] of listOf(changes).entries()) {
      const key = fileKey(id, at);
      if (started.has(key)) continue;
      started.add(key);
      run.startTool(key, "file_change", { path, kind: kindOf(kind) });
    }
  }

  function endFiles(item: Item): void {
    startFiles(item);
    for (const at of listOf(item.changes).keys()) {
      started.delete(fileKey(item.id, at));
      run.endTool(fileKey(item.id, at), { isSuccess: item.status !== "failed" });
    }
  }

  return {
    read(message) {
      const { type, error } = message;
      if (type === "thread.started") run.setSession(message.thread_id);
      if (type === "item.started") startItem(objectOf(message.item));
      if (type === "item.completed") endItem(objectOf(message.item));
      if (type === "error") run.report(textOf(message.message));
      if (type === "turn.failed") failure = textOf(objectOf(error).message) || "the turn failed";
      if (type !== "turn.completed") return;
      isComplete = true;
      turns += 1;
      const usage = objectOf(message.usage);
      inputTokens += amountOf(usage.input_tokens);
      outputTokens += amountOf(usage.output_tokens);
      run.use({ inputTokens, outputTokens });
    },
    final: () => ({
      text: run.lastText() || failure || "",
      isError: failure !== undefined || !isComplete,
      isComplete: isComplete || failure !== undefined,
      ...(failure !== undefined && { subtype: failure }),
      turns,
    }),
  };
}

function outcomeOf({ type, status, exit_code: exitCode, aggregated_output: output, result, error }: Item) {
  const isSuccess = status !== "failed" && status !== "declined" && (exitCode ?? 0) === 0;
  const text = type === "command_execution" ? textOf(output) : contentText(objectOf(result).content);
  const reason = textOf(objectOf(error).message) || (status === "declined" ? "declined" : "");
  const exitStatus = typeof exitCode === "number" && exitCode !== 0 ? `Exit code ${exitCode}` : "";
  return { isSuccess, output: text, error: isSuccess ? "" : reason || exitStatus };
}

function fileKey(id: unknown, at: number): string {
  return `${textOf(id)}/${at}`;
}

/** A string, or an object with a type. */
function kindOf(kind: unknown): string {
  return textOf(kind) || textOf(objectOf(kind).type);
}
