import { isSkillName, type SkillUse } from "../../domain/knowledge/skill.js";
import { type Action, isEdit } from "../../domain/tasks/action.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";
import { getTask } from "../../episodic/tasks/get-task.js";

/** Counts the skills used in a task's finished attempts; an interrupted one is counted with the next. */
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

const skillPath = /(?:^|[\s/"'=])\.(?:agent|agents|claude)\/skills\/([a-z0-9-]+)\/SKILL\.md\b/g;
const mention = /\[skill: *([a-z0-9-]+)\]/gi;

/**
 * The skills an attempt used: it read the file, called it with the skill tool, or mentioned `[skill: name]`. Tool output does not count,
 * because a brief lists skills that were never used.
 */
export function skillsUsedIn(actions: readonly Action[]): string[] {
  const names = actions.filter(({ success }) => success).flatMap(namesIn);
  return [...new Set(names.filter(isSkillName))].sort();
}

function namesIn(action: Action): string[] {
  const { tool, params, reasoning = "", expected_outcome = "" } = action;
  const mentioned = matches(mention, `${reasoning}\n${expected_outcome}`);
  if (isEdit(action)) return mentioned;
  const texts = [params.file_path, params.path, params.file, params.command];
  const read = texts.flatMap((text) => (typeof text === "string" ? matches(skillPath, text) : []));
  const called = /^skill$/i.test(tool) ? [params.skill ?? params.name ?? params.command].map(String) : [];
  return [...mentioned, ...read, ...called];
}

function matches(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name.toLowerCase());
}
