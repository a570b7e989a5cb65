import type { MessageReader } from "./agent-event.js";
import { amountOf, contentText, listOf, objectOf, textOf } from "./fields.js";
import type { RunRecord } from "./record-run.js";

type Message = Record<string, unknown>;

/** Claude Code's `--output-format stream-json`. */
export function readClaude(run: RunRecord): MessageReader {
  const usageOfMessage = new Map<string, { inputTokens: number; outputTokens: number }>();
  let result: Message | undefined;

  /** A message comes once for each of its blocks, with the usage so far. */
  function noteUsage({ id, usage }: Message): void {
    usageOfMessage.set(textOf(id), tokensOf(objectOf(usage)));
    const all = [...usageOfMessage.values()];
    run.use({
      inputTokens: all.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      outputTokens: all.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    });
  }

  function readAssistant(message: Message, isSubagent: boolean): void {
    for (const block of listOf(message.content)) {
      if (block.type === "text" && !isSubagent) run.say(textOf(block.text));
      if (block.type === "tool_use")
        run.startTool(textOf(block.id), textOf(block.name) || "tool", block.input);
    }
    if (message.usage !== undefined) noteUsage(message);
  }

  function readResults(message: Message, time: unknown): void {
    for (const block of listOf(message.content)) {
      if (block.type !== "tool_result") continue;
      const output = contentText(block.content);
      const isSuccess = block.is_error !== true;
      run.endTool(textOf(block.tool_use_id), { isSuccess, [isSuccess ? "output" : "error"]: output }, time);
    }
  }

  function readResult(message: Message): void {
    result = message;
    run.use({ ...tokensOf(objectOf(message.usage)), costUsd: amountOf(message.total_cost_usd) });
    const denied = listOf(message.permission_denials).map(({ tool_name: tool }) => textOf(tool));
    if (denied.length > 0) run.report(`not permitted to the agent: ${[...new Set(denied)].join(", ")}`);
  }

  return {
    read(message) {
      if (message.type === "system") run.setSession(message.session_id);
      if (message.type === "assistant")
        readAssistant(objectOf(message.message), typeof message.parent_tool_use_id === "string");
      if (message.type === "user") readResults(objectOf(message.message), message.timestamp);
      if (message.type === "result") readResult(message);
    },
    final() {
      if (result === undefined) return { text: run.lastText(), isError: true, isComplete: false };
      const { result: text, subtype, is_error: isError, errors, num_turns: turns } = result;
      const reasons = Array.isArray(errors)
        ? errors.filter((each) => typeof each === "string").join("\n")
        : "";
      return {
        text: textOf(text) || reasons || run.lastText(),
        isError: isError === true || textOf(subtype).startsWith("error"),
        isComplete: true,
        ...(typeof subtype === "string" && { subtype }),
        costUsd: amountOf(result.total_cost_usd),
        turns: amountOf(turns),
      };
    },
  };
}

function tokensOf(usage: Message): { inputTokens: number; outputTokens: number } {
  const { input_tokens: fresh, cache_creation_input_tokens: cached, cache_read_input_tokens: read } = usage;
  return {
    inputTokens: amountOf(fresh) + amountOf(cached) + amountOf(read),
    outputTokens: amountOf(usage.output_tokens),
  };
}
