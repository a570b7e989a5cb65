import type { Action } from "../../domain/tasks/action.js";

/** A tool call as logged, without the iteration, which the agent does not know. */
export type AgentAction = Omit<Action, "iteration"> & {
  duration_ms?: number;
  /** Identifies the call, so that logging it twice has no effect. */
  idempotency_key?: string;
};

/** An event in an agent's output. */
export type AgentEvent =
  /** A tool call started; its action follows at its end. */
  | { kind: "started"; tool: string; params: Record<string, unknown> }
  | { kind: "action"; action: AgentAction }
  /** A new message of the agent, or a continuation of the previous one. */
  | { kind: "text"; text: string; isContinued: boolean }
  | UsageEvent
  | FinalEvent
  /** `denied`: the tools it was not permitted to use. */
  | { kind: "problem"; message: string; denied?: readonly string[] };

/** Total usage of the run so far; each event replaces the previous one. */
export interface UsageEvent {
  kind: "usage";
  inputTokens: number;
  outputTokens: number;
  costUsd?: number;
}

/** Always sent, as the last event. */
export interface FinalEvent {
  kind: "final";
  /** The final message of the agent. */
  text: string;
  isError: boolean;
  /** False when the output ended early. */
  isComplete: boolean;
  /** The agent's own word for how it ended. */
  subtype?: string;
  costUsd?: number;
  turns?: number;
}

/** Reads the messages of one agent format. */
export interface MessageReader {
  read(message: Record<string, unknown>): void;
  final(): Omit<FinalEvent, "kind">;
}
