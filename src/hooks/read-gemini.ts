import { contentText, objectOf, textOf } from "../agents/streams/fields.js";
import { describeResult, unwrapOutput } from "../agents/streams/tool-calls.js";
import type { HookReader } from "./hook-formats.js";
import { looksFailed, toAction } from "./tool-call.js";

/** What a hook said at the start of the session: without a terminal, Gemini CLI puts it in front of the prompt. */
const toldByHooks = /^(?:\s*<hook_context>[\s\S]*?<\/hook_context>)+\s*/;

/** Gemini CLI: a failed command is a success there, with its exit status in the text. */
export const readGemini: HookReader = (name, input, now) => {
  switch (name) {
    case "SessionStart":
      return { kind: "session-start", isResumed: input.source !== "startup" };
    case "BeforeAgent":
      return {
        kind: "prompt",
        text: textOf(input.prompt).replace(toldByHooks, ""),
        transcript: textOf(input.transcript_path),
      };
    case "AfterTool": {
      const { llmContent, error } = objectOf(input.tool_response);
      const result = unwrapOutput(contentText(llmContent));
      const text = textOf(objectOf(error).message) || contentText(error) || describeResult(result);
      const isSuccess = result.fault === undefined ? undefined : result.fault === "";
      const isFailed = error !== undefined || looksFailed(input.tool_input, { output: text, isSuccess });
      const id = `${textOf(input.timestamp)} ${textOf(input.tool_name)}`;
      const tool = textOf(input.tool_name) || "tool";
      return {
        kind: "action",
        action: toAction({ id, tool, params: input.tool_input, isSuccess: !isFailed, text }, now),
      };
    }
    case "AfterAgent":
      return { kind: "turn-end", said: textOf(input.prompt_response) };
    case "SessionEnd":
      return { kind: "session-end" };
    default:
      return undefined;
  }
};
