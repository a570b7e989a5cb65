import type { AgentAction } from "../agents/streams/agent-event.js";
import { readClaude } from "./read-claude.js";
import { readGemini } from "./read-gemini.js";

/** What happened in a session of an agent, as far as it matters here. */
export type HookEvent =
  /** Also after a compaction, or when a session is resumed: what was shown before is gone from the context. */
  | { kind: "session-start"; isResumed: boolean }
  /** With the agent's transcript, if that alone tells that the context was compacted. */
  | { kind: "prompt"; text: string; transcript?: string }
  | { kind: "action"; action: AgentAction }
  /** The agent has answered. */
  | { kind: "turn-end"; said: string }
  | { kind: "session-end" };

/** An event with the session that it belongs to. */
export interface HookCall {
  /** The id of the session; those of its subagents have the same. */
  session: string;
  /** The folder that the agent works in. */
  folder?: string | undefined;
  event: HookEvent;
}

/** Reads what an agent passes to a hook; undefined for what is of no interest. */
export type HookReader = (
  name: string,
  input: Readonly<Record<string, unknown>>,
  now: Date,
) => HookEvent | undefined;

/** An agent whose hooks call Ralph. */
export interface HookAgent {
  read: HookReader;
  /** The answer as its program expects it; without context, one that changes nothing. */
  answer(eventName: string, context: string): string;
  /** Characters of context that it takes. */
  maxContext: number;
  /** The variable in which it tells its hooks where the session began. */
  projectVariable?: string;
}

/** Claude Code's form, which others understand as well; none of them knows a further field. */
function additionalContext(hookEventName: string, context: string): string {
  return context === ""
    ? "{}\n"
    : `${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: context } })}\n`;
}

const maxContext = 9500;

export const hookAgents: ReadonlyMap<string, HookAgent> = new Map<string, HookAgent>([
  [
    "claude",
    { read: readClaude, answer: additionalContext, maxContext, projectVariable: "CLAUDE_PROJECT_DIR" },
  ],
  ["codex", { read: readClaude, answer: additionalContext, maxContext }],
  ["qwen", { read: readClaude, answer: additionalContext, maxContext }],
  ["gemini", { read: readGemini, answer: additionalContext, maxContext }],
  // It has no hooks of its own: Ralph's plugin for it calls them.
  ["opencode", { read: readClaude, answer: additionalContext, maxContext }],
]);
