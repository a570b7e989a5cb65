import type { Run } from "../../domain/tasks/run.js";
import { provisionalNumber, taskIdOf, uuidStartOf } from "../../domain/tasks/task.js";
import type { Runs } from "../../store/repositories/tasks/runs.js";
import type { NewTask, StoredTask, Tasks } from "../../store/repositories/tasks/tasks.js";
import type { Repositories, Store } from "../../store/store.js";
import { memoryAccess } from "../project/memory-access.js";
import type { OpenProject } from "../project/open-project.js";
import type { StoreContext } from "../project/place.js";

/** What a delivered task teaches is learned where the team's other learnings are. */
const settingsWhileAway = { "store.url": "", "learnings.promotion": "off" } as const;

/**
 * The same memory while the team's server cannot be reached: all that is recorded stays in the database of this machine, in
 * tasks with provisional numbers, until it is delivered.
 */
export function awayProject(session: OpenProject): OpenProject {
  return memoryAccess({
    ...session,
    isAway: true,
    settings: async () => ({ ...(await session.settings()), ...settingsWhileAway }),
    openStore: async (place) => onThisMachine(await session.openStore(place)),
    async findStore() {
      const context = await session.findStore();
      return context === undefined || context.isElsewhere ? undefined : onThisMachine(context);
    },
    findStores: async () => (await session.findStores()).map(onThisMachine),
    // What it uses is closed with the project that it comes from.
    closeAll: async () => undefined,
  });
}

function onThisMachine(shelf: StoreContext): StoreContext {
  return { ...shelf, store: withProvisionalTasks(shelf.store.onThisMachine()) };
}

function withProvisionalTasks(local: Store): Store {
  const provisional = <Each extends Repositories>(repositories: Each): Each => ({
    ...repositories,
    tasks: withOwn(repositories.tasks, { add: (task) => addProvisional(repositories.tasks, task) }),
    runs: ofProvisionalTasks(repositories.runs),
  });
  return {
    ...provisional(local),
    transaction: (work, options) => local.transaction((tx) => work(provisional(tx)), options),
  };
}

/** Without the runs that were recorded here before the team had a server. */
function ofProvisionalTasks(runs: Runs): Runs {
  const isProvisional = ({ task_id: id }: Run) => uuidStartOf(id) !== undefined;
  const listLastOfTasks = async () => (await runs.listLastOfTasks()).filter(isProvisional);
  return withOwn(runs, {
    listUnfinished: async () => (await runs.listUnfinished()).filter(isProvisional),
    listLastOfTasks,
    findLast: async () => (await listLastOfTasks()).at(-1),
  });
}

/** A repository, which may be loaded by its first use, with some functions of its own. */
function withOwn<Repository extends object>(repository: Repository, own: Partial<Repository>): Repository {
  return new Proxy(repository, { get: (_target, name) => Reflect.get(name in own ? own : repository, name) });
}

async function addProvisional(tasks: Tasks, task: NewTask): Promise<StoredTask> {
  const number = provisionalNumber(task.uuid);
  await tasks.restore({ ...task, number, total_attempts: 0 });
  return { ...task, number, id: taskIdOf(number), total_attempts: 0, current_attempt: 0 };
}
