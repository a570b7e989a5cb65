import { textOf } from "../agents/streams/fields.js";
import type { HookReader } from "./hook-event.js";
import { toAction } from "./tool-call.js";

/** opencode has no hooks of its own: Ralph's plugin for it passes these on. */
export const readOpencode: HookReader = async (name, input, now) => {
  switch (name) {
    case "session-start":
      return { kind: "session-start" };
    case "prompt":
      return { kind: "prompt", text: textOf(input.prompt) };
    case "tool": {
      const { exit, error } = input;
      const isSuccess = !(typeof exit === "number" && exit !== 0) && typeof error !== "string";
      const tool = textOf(input.tool) || "tool";
      const call = { id: textOf(input.call_id), tool, params: input.args, isSuccess };
      return {
        kind: "action",
        action: toAction({ ...call, text: textOf(error) || textOf(input.output) }, now),
      };
    }
    case "idle":
      return { kind: "turn-end", said: textOf(input.said) };
    case "session-end":
      return { kind: "session-end" };
    default:
      return undefined;
  }
};
