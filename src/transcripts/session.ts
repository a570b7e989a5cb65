import type { AgentAction } from "../agents/streams/agent-event.js";

export const transcriptAgents = ["claude", "codex", "gemini", "opencode"] as const;

export type TranscriptAgent = (typeof transcriptAgents)[number];

/** One session of an agent, read from its transcript. */
export interface Session {
  agent: TranscriptAgent;
  id: string;
  /** Its working folder; empty if the transcript does not name it. */
  cwd: string;
  started: string;
  ended: string;
  turns: Turn[];
  /** Subagents whose actions are among those of the turns. */
  subagents: number;
}

/** A user's request and the agent's work on it. */
export interface Turn {
  prompt: string;
  started: string;
  ended: string;
  actions: AgentAction[];
  /** The last message of the agent. */
  said: string;
  /** The user stopped the agent. */
  isInterrupted: boolean;
}

/** A readable session, with what is known before reading it. */
export interface Transcript {
  agent: TranscriptAgent;
  id: string;
  cwd: string;
  /** The session that started it, if it is a subagent's. */
  parent?: string | undefined;
  started: string;
  modifiedMs: number;
  bytes: number;
  /** The file, for messages. */
  path: string;
  /** Leaves out the messages in `seen` and adds those it reads: a forked session repeats those of the original. */
  read(now: Date, seen?: Set<string>): ReadTranscript;
}

export interface ReadTranscript {
  session: Session;
  /** How many rows of each unknown type there are. */
  unknown: ReadonlyMap<string, number>;
  /** Rows that are invalid, too long or nested too deeply. */
  unreadable: number;
  /** The last row is incomplete. */
  isCutShort: boolean;
}
