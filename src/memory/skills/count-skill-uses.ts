import { numberOfTaskId } from "../../domain/tasks/task.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import { skillsUsedIn } from "../../procedural/skill-uses.js";

/** Counts the skills that finished attempts of a task used; an interrupted one is counted with the next. */
export async function countSkillUses({ store }: EpisodicContext, taskId: string): Promise<void> {
  const number = numberOfTaskId(taskId) ?? 0;
  const [task, attempts, actions] = await Promise.all([
    getTask(store, taskId),
    store.attempts.list(number),
    store.actions.listForTask(number),
  ]);
  for (const attempt of attempts) {
    const { ended, outcome } = attempt;
    if (ended === undefined || outcome === undefined) continue;
    for (const skill of skillsUsedIn(actions.get(attempt.key) ?? [])) {
      await store.skillUses.record({
        skill,
        task_id: task.id,
        attempt_id: attempt.id,
        succeeded: outcome.status === "success",
        time: ended,
      });
    }
  }
}
