import type { EpisodicContext } from "../../episodic/episodic-context.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import { skillsUsedIn } from "../../procedural/skill-uses.js";

/** Counts the skills that finished attempts of a task used; an interrupted one is counted with the next. */
export async function countSkillUses({ store }: EpisodicContext, taskId: string): Promise<void> {
  const task = await getTask(store, taskId);
  for (const attempt of await store.attempts.list(task.number)) {
    const { ended, outcome } = attempt;
    if (ended === undefined || outcome === undefined) continue;
    for (const skill of skillsUsedIn(await store.actions.list(attempt.key))) {
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
