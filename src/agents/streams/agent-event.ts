import type { Action } from "../../domain/tasks/action.js";

/** A tool call as the log takes it, but for the iteration, which the agent does not know. */
export type AgentAction = Omit<Action, "iteration"> & {
  duration_ms?: number;
  /** The same for the same call, so that logging it twice adds nothing. */
  idempotency_key?: string;
};

/** What an agent does, as it happens. */
export type AgentEvent =
  /** A tool call began; its action follows when it has ended. */
  | { kind: "started"; tool: string; params: Record<string, unknown> }
  | { kind: "action"; action: AgentAction }
  | { kind: "text"; text: string }
  | UsageEvent
  | FinalEvent
  | { kind: "problem"; message: string };

/** What the run has used so far, in all; each event replaces the one before. */
export interface UsageEvent {
  kind: "usage";
  inputTokens: number;
  outputTokens: number;
  costUsd?: number;
}

/** Always the last event, and always there. */
export interface FinalEvent {
  kind: "final";
  /** What the agent said last. */
  text: string;
  isError: boolean;
  /** False when the output broke off before the agent said that it was done. */
  isComplete: boolean;
  /** The agent's own word for how it ended. */
  subtype?: string;
  costUsd?: number;
  turns?: number;
}

/** Understands the messages of one agent's output. */
export interface MessageReader {
  read(message: Record<string, unknown>): void;
  final(): Omit<FinalEvent, "kind">;
}
