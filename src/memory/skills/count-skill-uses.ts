import type { SkillUse } from "../../domain/knowledge/skill.js";
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
  const uses = attempts.flatMap(({ key, id, ended, outcome }): SkillUse[] => {
    if (ended === undefined || outcome === undefined) return [];
    const succeeded = outcome.status === "success";
    const skills = skillsUsedIn(actions.get(key) ?? []);
    return skills.map((skill) => ({ skill, task_id: task.id, attempt_id: id, succeeded, time: ended }));
  });
  if (uses.length === 0) return;
  await store.transaction(async (tx) => {
    for (const use of uses) await tx.skillUses.record(use);
  });
}
