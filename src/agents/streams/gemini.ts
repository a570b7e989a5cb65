import type { MessageReader } from "./agent-event.js";
import { amountOf, contentText, objectOf, textOf } from "./fields.js";
import type { RunRecord } from "./record-run.js";

/** Gemini CLI's `--output-format stream-json`. */
export function readGemini(run: RunRecord): MessageReader {
  let status: string | undefined;
  let failure = "";
  return {
    read(message) {
      const { type, timestamp, tool_id: id, error } = message;
      if (type === "init") run.setSession(message.session_id);
      if (type === "message" && message.role === "assistant")
        run.say(textOf(message.content), message.delta === true);
      if (type === "tool_use")
        run.startTool(textOf(id), textOf(message.tool_name) || "tool", message.parameters, timestamp);
      if (type === "tool_result") {
        const isSuccess = message.status !== "error";
        const reason = textOf(objectOf(error).message);
        run.endTool(
          textOf(id),
          { isSuccess, output: contentText(message.output), error: isSuccess ? "" : reason },
          timestamp,
        );
      }
      if (type === "error") run.report(textOf(message.message));
      if (type !== "result") return;
      status = textOf(message.status) || "success";
      failure = textOf(objectOf(error).message);
      const stats = objectOf(message.stats);
      run.use({ inputTokens: amountOf(stats.input_tokens), outputTokens: amountOf(stats.output_tokens) });
    },
    final: () => ({
      text: run.lastText() || failure,
      isError: status !== "success",
      isComplete: status !== undefined,
      ...(status !== undefined && { subtype: status }),
    }),
  };
}
