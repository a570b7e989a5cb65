import type { OpenProject } from "../project/open-project.js";
import type { TeamStore, TeamVerbs } from "./team-verbs.js";

export function makeTeamVerbs(session: OpenProject): TeamVerbs {
  const { environment, folders } = session;
  const describe = async (): Promise<TeamStore | undefined> => {
    const settings = await session.settings();
    if (session.owner === "user" || settings["store.url"] === "") return undefined;
    // Most projects have no team: then nothing of a server is loaded.
    const [{ parseAddress }, { projectKeyOf }] = await Promise.all([
      import("../../store/postgres/connection/address.js"),
      import("../places/team/open-team-side.js"),
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
