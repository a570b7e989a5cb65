import type { MessageReader } from "./agent-event.js";
import { amountOf, contentText, objectOf, textOf } from "./fields.js";
import type { RunRecord } from "./record-run.js";

/** opencode's `run --format json`. */
export function readOpencode(run: RunRecord): MessageReader {
  let isComplete = false;
  let failure: string | undefined;
  let [inputTokens, outputTokens, costUsd, turns] = [0, 0, 0, 0];

  /** Calls are reported at their end. */
  function readTool(part: Record<string, unknown>): void {
    const state = objectOf(part.state);
    const { start, end } = objectOf(state.time);
    const id = textOf(part.callID) || textOf(part.id);
    run.startTool(id, textOf(part.tool) || "tool", state.input, start);
    const isSuccess = state.status !== "error";
    run.endTool(
      id,
      { isSuccess, output: contentText(state.output), error: isSuccess ? "" : textOf(state.error) },
      end,
    );
  }

  function readStep({ tokens, cost, reason }: Record<string, unknown>): void {
    const { input, output, reasoning, cache } = objectOf(tokens);
    const { read, write } = objectOf(cache);
    inputTokens += amountOf(input) + amountOf(read) + amountOf(write);
    outputTokens += amountOf(output) + amountOf(reasoning);
    costUsd += amountOf(cost);
    turns += 1;
    isComplete = reason !== "tool-calls";
    run.use({ inputTokens, outputTokens, costUsd });
  }

  return {
    read(message) {
      const part = objectOf(message.part);
      run.setSession(message.sessionID);
      if (message.type === "text") run.say(textOf(part.text));
      if (message.type === "tool_use") readTool(part);
      if (message.type === "step_finish") readStep(part);
      if (message.type === "done") isComplete = true;
      if (message.type !== "error") return;
      const error = objectOf(message.error);
      failure = textOf(objectOf(error.data).message) || textOf(error.name) || "the agent failed";
      run.report(failure);
    },
    final: () => ({
      text: run.lastText() || failure || "",
      isError: failure !== undefined || !isComplete,
      isComplete,
      costUsd,
      turns,
    }),
  };
}
