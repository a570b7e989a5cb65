import type { AgentAction } from "../agents/streams/agent-event.js";
import { toolParams, toolType, unwrapShell } from "../agents/streams/tool-calls.js";
import { inOneLine } from "../domain/tasks/shell-line.js";
import { type Printed, showsFailure } from "../episodic/attempts/shows-failure.js";
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

/** The exit status of such a line may be that of another command than the one that matters. */
const isPiped = /[|;]/;

/** Whether a tool call failed, by its output where the call itself does not say. */
export function looksFailed(
  params: unknown,
  { output, isSuccess }: Pick<Printed, "output" | "isSuccess">,
): boolean {
  const { command: given } = toolParams(params);
  const command = typeof given === "string" ? inOneLine(unwrapShell(given).trim()) : undefined;
  if (isSuccess === false || (isSuccess && !isPiped.test(command ?? ""))) return !isSuccess;
  return showsFailure({ command, output, isSuccess });
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
