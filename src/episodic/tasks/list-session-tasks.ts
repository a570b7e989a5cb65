import { sessionTaskUuid } from "../../domain/tasks/task.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";

/** The tasks that a session of an agent has had so far, recorded by its hooks or from its transcript, in their order. */
export async function listSessionTasks(
  { tasks }: Pick<Repositories, "tasks">,
  agent: string,
  sessionId: string,
): Promise<StoredTask[]> {
  const found: StoredTask[] = [];
  for (;;) {
    const task = await tasks.findByUuid(sessionTaskUuid(agent, sessionId, found.length));
    if (task === undefined) return found;
    found.push(task);
  }
}
