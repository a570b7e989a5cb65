import type { AgentAction } from "../agents/streams/agent-event.js";
import { toolParams } from "../agents/streams/tool-params.js";
import { toolType } from "../agents/streams/tool-type.js";
import { unwrapShell } from "../agents/streams/unwrap-shell.js";
import { clipDeep } from "../text/secrets/clip-output.js";

export interface ToolCall {
  /** Identifies the call within its session. */
  id: string;
  tool: string;
  params: unknown;
  isSuccess: boolean;
  /** What the tool answered, or why it failed. */
  text: string;
  durationMs?: number | undefined;
}

/** A finished tool call as it is recorded. */
export function toAction(
  { id, tool, params, isSuccess, text, durationMs }: ToolCall,
  now: Date,
): AgentAction {
  const type = toolType(tool);
  const known = toolParams(params);
  const { command } = known;
  return {
    timestamp: now.toISOString(),
    ...(type !== undefined && { type }),
    tool,
    params: typeof command === "string" ? { ...known, command: unwrapShell(command) } : known,
    success: isSuccess,
    ...(text !== "" && { [isSuccess ? "output" : "error"]: clipDeep(text) }),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
    ...(id !== "" && { idempotency_key: id }),
  };
}
