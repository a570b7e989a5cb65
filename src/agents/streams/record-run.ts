import type { Clock } from "../../domain/clock.js";
import { clipDeep, endOf, startOf } from "../../text/secrets/clip-output.js";
import { redact } from "../../text/secrets/redact.js";
import type { AgentEvent, UsageEvent } from "./agent-event.js";
import { toolParams, toolType } from "./tool-calls.js";

interface ToolOutcome {
  isSuccess: boolean;
  output?: string;
  error?: string;
}

/** Records the run of an agent and emits its events. */
export interface RunRecord {
  /** Ids of tool calls are often unique only within a session. */
  setSession(id: unknown): void;
  say(text: string, isContinued?: boolean): void;
  startTool(id: string, tool: string, params: unknown, time?: unknown): void;
  endTool(id: string, outcome: ToolOutcome, time?: unknown): void;
  use(usage: Omit<UsageEvent, "kind">): void;
  report(problem: string): void;
  deny(tools: readonly string[]): void;
  /** The text since the last tool call; if none, the text before it. */
  lastText(): string;
  /** Ends tool calls that never got a result. */
  abandonTools(): void;
}

interface OpenCall {
  tool: string;
  params: Record<string, unknown>;
  startedMs: number;
  reasoning: string;
}

const maxText = 256 * 1024;
const maxReasoning = 2000;
const maxReport = 2000;
const maxOpenCalls = 1000;
/** Later years have more than four digits and would sort wrongly. */
const maxTimeMs = Date.UTC(9999, 11, 31);

export function recordRun(emit: (event: AgentEvent) => void, clock: Clock): RunRecord {
  const open = new Map<string, OpenCall>();
  let session = "";
  let current = "";
  let before = "";

  function endTool(id: string, outcome: ToolOutcome, time?: unknown): void {
    const call = open.get(id);
    if (call === undefined) return;
    open.delete(id);
    const { tool, params, startedMs, reasoning } = call;
    const type = toolType(tool);
    const { isSuccess, output, error } = outcome;
    emit({
      kind: "action",
      action: {
        timestamp: new Date(startedMs).toISOString(),
        ...(type !== undefined && { type }),
        tool,
        params,
        success: isSuccess,
        ...(output && { output: clipDeep(output) }),
        ...(error && { error: clipDeep(error) }),
        ...(reasoning && { reasoning }),
        duration_ms: Math.max(0, timeOf(time, clock) - startedMs),
        ...(session !== "" && { idempotency_key: `${session}:${id}` }),
      },
    });
  }

  return {
    setSession(id) {
      if (typeof id === "string") session = id;
    },
    say(text, isContinued = false) {
      if (text === "") return;
      current += isContinued || current === "" ? text : `\n\n${text}`;
      // Truncated in steps: doing so for each piece would copy the whole text each time.
      if (current.length > 2 * maxText) current = endOf(current, maxText);
      emit({ kind: "text", text, isContinued });
    },
    startTool(id, tool, params, time) {
      const reasoning = endOf(current.trim(), maxReasoning);
      if (current.trim() !== "") before = current;
      current = "";
      const call = { tool, params: toolParams(params), startedMs: timeOf(time, clock), reasoning };
      const [oldest] = open.keys();
      if (oldest !== undefined && open.size >= maxOpenCalls) open.delete(oldest);
      open.set(id, call);
      emit({ kind: "started", tool, params: call.params });
    },
    endTool,
    use: (usage) => emit({ kind: "usage", ...usage }),
    report: (message) => emit({ kind: "problem", message: reported(message) }),
    deny: (tools) =>
      emit({
        kind: "problem",
        message: reported(`permission denied to the agent: ${tools.join(", ")}`),
        denied: tools.map(reported),
      }),
    lastText: () => (current.trim() === "" ? before : current),
    abandonTools() {
      for (const id of [...open.keys()])
        endTool(id, { isSuccess: false, error: "no result: the agent ended first" });
    },
  };
}

function reported(text: string): string {
  return redact(startOf(text, maxReport)).text;
}

function timeOf(time: unknown, clock: Clock): number {
  const ms = typeof time === "number" ? time : typeof time === "string" ? Date.parse(time) : Number.NaN;
  return ms >= 0 && ms <= maxTimeMs ? ms : clock().getTime();
}
