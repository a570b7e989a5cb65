import type { OpenProject } from "../project/open-project.js";
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

export function makeTeamVerbs(session: OpenProject): TeamVerbs {
  const { environment, folders } = session;
  const describe = async (): Promise<TeamStore | undefined> => {
    const settings = await session.settings();
    if (session.owner === "user" || settings["store.url"] === "") return undefined;
    // Most projects have no team: then nothing of a server is loaded.
    const [{ parseAddress }, { projectKeyOf }] = await Promise.all([
      import("../../store/postgres/connection/address.js"),
      import("./open-team-side.js"),
    ]);
    const waiting = await session.read(
      async ({ store }) => {
        const local = store.onThisMachine();
        const tasks = (await local.tasks.listProvisional()).map(({ id }) => id);
        return { waiting: await local.outbox.count(), waiting_tasks: tasks };
      },
      () => ({ waiting: 0, waiting_tasks: [] }),
    );
    return {
      address: parseAddress(settings["store.url"], environment).shown,
      project: projectKeyOf(settings, folders),
      ...waiting,
    };
  };
  return {
    describe,
    underWay: () =>
      session.read(
        async ({ store, clock }) => (await import("./list-under-way.js")).listUnderWay(store, clock()),
        () => [],
      ),
    async sync() {
      const before = await describe();
      if (before === undefined) return undefined;
      // Whatever reaches the server delivers what waits.
      await session.readOrEmpty(({ store }) => store.isDerivedFilled());
      const after = (await describe()) ?? before;
      return {
        ...after,
        delivered: Math.max(0, before.waiting - after.waiting),
        delivered_tasks: Math.max(0, before.waiting_tasks.length - after.waiting_tasks.length),
      };
    },
  };
}
