import { amountOf, contentText, objectOf, textOf } from "../agents/streams/fields.js";
import { describeResult, unwrapOutput } from "../agents/streams/tool-calls.js";
import { isObject } from "../domain/shape.js";
import type { HookReader } from "./hook-formats.js";
import { looksFailed, toAction } from "./tool-call.js";

/** Claude Code, and those that took over its events and fields: Codex and Qwen Code. */
export const readClaude: HookReader = (name, input, now) => {
  switch (name) {
    case "SessionStart":
      return { kind: "session-start", isResumed: input.source !== "startup" };
    case "UserPromptSubmit":
      // What a subagent is asked was asked by its parent, whose work it belongs to.
      return input.agent_id === undefined ? { kind: "prompt", text: textOf(input.prompt) } : undefined;
    case "PostToolUse":
    case "PostToolUseFailure":
      return { kind: "action", action: readTool(name, input, now) };
    case "Stop":
      return { kind: "turn-end", said: textOf(input.last_assistant_message) };
    case "SessionEnd":
      return { kind: "session-end" };
    default:
      return undefined;
  }
};

function readTool(name: string, input: Readonly<Record<string, unknown>>, now: Date) {
  const text = unwrapped(name === "PostToolUseFailure" ? textOf(input.error) : answerOf(input.tool_response));
  // Codex tells neither an exit status nor that a command failed.
  const isTold = name === "PostToolUseFailure" || typeof input.tool_response !== "string";
  const isSuccess = isTold ? name === "PostToolUse" : undefined;
  const isFailed = looksFailed(input.tool_input, { output: text, isSuccess });
  return toAction(
    {
      id: textOf(input.tool_use_id),
      tool: textOf(input.tool_name) || "tool",
      params: input.tool_input,
      isSuccess: !isFailed,
      text,
      durationMs: amountOf(input.duration_ms) || undefined,
    },
    now,
  );
}

/** Without what Qwen Code puts around a command's output. */
function unwrapped(text: string): string {
  if (!/^(?:<untrusted_context>\n|Command: )/.test(text)) return text;
  return describeResult(unwrapOutput(text));
}

/** The answer of a shell, else the whole answer. */
function answerOf(response: unknown): string {
  if (!isObject(response)) return contentText(response);
  const { stdout, stderr, llmContent } = response;
  if (typeof stdout === "string" || typeof stderr === "string")
    return [textOf(stdout), textOf(stderr)].filter((part) => part !== "").join("\n");
  if (typeof llmContent === "string") return llmContent;
  // Of a file that was read or written, the path is in the parameters.
  return isObject(response.file) || typeof response.filePath === "string"
    ? ""
    : JSON.stringify(objectOf(response));
}
