import type { RunState } from "../runs/end-run.js";

/** A team's store, and what waits for it on this machine. */
export interface TeamStore {
  /** Without a password. */
  address: string;
  /** The name under which the project's memory is kept there. */
  project: string;
  /** Records that wait on this machine until the server can be reached. */
  waiting: number;
  /** Tasks that began while it could not be reached, by their provisional ids. */
  waiting_tasks: string[];
}

export interface Synced extends TeamStore {
  delivered: number;
  delivered_tasks: number;
}

/** Somebody's work on a task of the project that is not over, here or on another machine. */
export interface UnderWay {
  task_id: string;
  objective: string;
  attempt: number;
  state: RunState;
  /** A person's or an agent's name. */
  made_by?: string;
  /** The coding agent. */
  agent?: string;
  host?: string;
  process?: number;
  since: string;
  /** When others may take it over if it gives no sign of life until then. */
  held_until?: string;
  last_action?: { timestamp: string; tool: string; what: string; success: boolean };
}

/** `memory.team`: where a team's memory is, and what is still to be delivered to it. */
export interface TeamVerbs {
  /** Undefined if the memory is on this machine only. Asks nothing of the server. */
  describe(): Promise<TeamStore | undefined>;
  /** Who works on what, on all machines; the oldest work first. */
  underWay(): Promise<UnderWay[]>;
  /** Delivers what waits; throws `store-away` if the server cannot be reached. */
  sync(): Promise<Synced | undefined>;
}
