import type { AgentAction } from "../agents/streams/agent-event.js";

export const transcriptAgents = ["claude", "codex", "gemini", "opencode"] as const;

export type TranscriptAgent = (typeof transcriptAgents)[number];

/** One session of an agent, read from its transcript. */
export interface Session {
  agent: TranscriptAgent;
  id: string;
  /** The folder that it worked in; empty if the transcript does not say. */
  cwd: string;
  started: string;
  ended: string;
  turns: Turn[];
  /** Helpers whose actions are among those of the turns. */
  subagents: number;
}

/** What a person asked for, and what the agent did about it. */
export interface Turn {
  prompt: string;
  started: string;
  ended: string;
  actions: AgentAction[];
  /** The last message of the agent. */
  said: string;
  /** The person stopped the agent. */
  isInterrupted: boolean;
}

/** A session that can be read, with what is known of it beforehand. */
export interface Transcript {
  agent: TranscriptAgent;
  id: string;
  cwd: string;
  /** The session that started it, if it is a helper's. */
  parent?: string | undefined;
  started: string;
  modifiedMs: number;
  bytes: number;
  /** The file, for messages. */
  path: string;
  /** Messages of `seen` are left out, and those that are read are added: a forked session repeats those of the first one. */
  read(now: Date, seen?: Set<string>): ReadTranscript;
}

export interface ReadTranscript {
  session: Session;
  /** How many rows of each unknown type there are. */
  unknown: ReadonlyMap<string, number>;
  /** Rows that are not valid, too long or nested too deeply. */
  unreadable: number;
  /** The last row is not complete. */
  isCutShort: boolean;
}
