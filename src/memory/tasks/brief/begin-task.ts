import type { StartAttemptInput } from "../../../episodic/attempts/start-attempt.js";
import type { EpisodicContext } from "../../../episodic/episodic-context.js";
import { type InitTaskInput, initTask } from "../../../episodic/tasks/init-task.js";
import type { Repositories, Store } from "../../../store/store.js";
import { startWithBrief } from "./start-with-brief.js";

/**
 * Records a task and starts its first attempt, both or neither, and returns its id. Several processes may want to begin the same
 * task at once: for whoever comes later it is there, with its attempt.
 */
export function beginTask(
  context: EpisodicContext,
  task: InitTaskInput & { uuid: string },
  start: StartAttemptInput,
): Promise<string> {
  return context.store.transaction(async (tx) => {
    const known = await tx.tasks.findByUuid(task.uuid);
    if (known !== undefined) return known.id;
    const inside = { ...context, store: within(context.store, tx) };
    const { id } = await initTask(inside, task);
    await startWithBrief(inside, id, start, undefined);
    return id;
  });
}

/** A store whose transactions are parts of this one. */
function within(store: Store, tx: Repositories): Store {
  return { ...store, ...tx, transaction: (work) => work(tx) };
}
