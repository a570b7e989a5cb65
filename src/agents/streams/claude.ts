import type { MessageReader } from "./agent-event.js";
import { amountOf, contentText, listOf, objectOf, textOf } from "./fields.js";
import type { RunRecord } from "./record-run.js";

type Message = Record<string, unknown>;

interface Tokens {
  inputTokens: number;
  outputTokens: number;
}

/**
 * Claude Code's `--output-format stream-json`. Background commands wake the agent when they end, so there may be several
 * results: each reports its own turns and tokens but the total cost. Only the usage per model is total and includes subagents.
 */
export function readClaude(run: RunRecord): MessageReader {
  const usageOfMessage = new Map<string, Tokens>();
  const denied = new Set<string>();
  let result: Message | undefined;
  let used: Tokens & { costUsd?: number } = { inputTokens: 0, outputTokens: 0 };
  let turns = 0;

  /** A message is repeated for each of its blocks, with the usage so far. */
  function noteUsage({ id, usage }: Message): void {
    usageOfMessage.set(textOf(id), tokensOf(objectOf(usage)));
    run.use({ ...used, ...sum([used, ...usageOfMessage.values()]) });
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
    used = {
      ...(tokensOfModels(message.modelUsage) ?? sum([used, tokensOf(objectOf(message.usage))])),
      costUsd: amountOf(message.total_cost_usd),
    };
    usageOfMessage.clear();
    run.use(used);
    turns += amountOf(message.num_turns);
    const tools = listOf(message.permission_denials).map(({ tool_name: tool }) => textOf(tool));
    const newlyDenied = [...new Set(tools)].filter((tool) => !denied.has(tool));
    for (const tool of newlyDenied) denied.add(tool);
    if (newlyDenied.length > 0) run.deny(newlyDenied);
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
      const { result: text, subtype, is_error: isError, errors } = result;
      const reasons = Array.isArray(errors)
        ? errors.filter((each) => typeof each === "string").join("\n")
        : "";
      return {
        text: textOf(text) || reasons || run.lastText(),
        isError: isError === true || textOf(subtype).startsWith("error"),
        isComplete: true,
        ...(typeof subtype === "string" && { subtype }),
        costUsd: amountOf(result.total_cost_usd),
        turns,
      };
    },
  };
}

function sum(parts: readonly Tokens[]): Tokens {
  return {
    inputTokens: parts.reduce((total, { inputTokens }) => total + inputTokens, 0),
    outputTokens: parts.reduce((total, { outputTokens }) => total + outputTokens, 0),
  };
}

function tokensOfModels(usageOfModels: unknown): Tokens | undefined {
  const models = listOf(Object.values(objectOf(usageOfModels)));
  if (models.length === 0) return undefined;
  return sum(
    models.map(
      ({
        inputTokens: fresh,
        cacheCreationInputTokens: cached,
        cacheReadInputTokens: read,
        outputTokens,
      }) => ({
        inputTokens: amountOf(fresh) + amountOf(cached) + amountOf(read),
        outputTokens: amountOf(outputTokens),
      }),
    ),
  );
}

function tokensOf(usage: Message): Tokens {
  const { input_tokens: fresh, cache_creation_input_tokens: cached, cache_read_input_tokens: read } = usage;
  return {
    inputTokens: amountOf(fresh) + amountOf(cached) + amountOf(read),
    outputTokens: amountOf(usage.output_tokens),
  };
}
