import type { AgentAction } from "../agents/streams/agent-event.js";

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
) => Promise<HookEvent | undefined>;
