import { deliverTasks } from "../away/deliver-tasks.js";
import type { MemoryAccess } from "../project/memory-access.js";
import type { StoreContext } from "../project/place.js";
import { taskContext } from "../project/task-context.js";
import { deliverOutbox } from "./deliver-outbox.js";

/** Delivers what waited for a team's server, and tells about it. */
export async function deliverWaiting(session: MemoryAccess, shelf: StoreContext): Promise<void> {
  await session.redacting(async () => {
    const context = await taskContext(session, shelf);
    const { tasks, refused: keptTasks } = await deliverTasks(session, context);
    const { delivered, refused } = await deliverOutbox(session, context);
    const told = [
      ...keptTasks.map(({ taskId, why }) => `${taskId}: ${why}`),
      ...refused.map(({ entry, why }) => `${entry.verb} of ${entry.taskId}: ${why}`),
    ];
    if (delivered + tasks.length + told.length === 0) return;
    session.notify({ kind: "outbox-delivered", tasks, delivered, refused: told });
  });
}
