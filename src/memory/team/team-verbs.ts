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

/** `memory.team`: where a team's memory is, and what is still to be delivered to it. */
export interface TeamVerbs {
  /** Undefined if the memory is on this machine only. Asks nothing of the server. */
  describe(): Promise<TeamStore | undefined>;
  /** Delivers what waits; throws `store-away` if the server cannot be reached. */
  sync(): Promise<Synced | undefined>;
}
