import { messageOf } from "../../domain/ralph-error.js";
import { closeTask } from "../learnings/lessons/learn-from-tasks.js";
import type { MemoryAccess } from "../project/memory-access.js";
import type { TaskContext } from "../project/task-context.js";
import { countSkillUses } from "../skills/count-skill-uses.js";

/** Counts the skills that an attempt used and learns from its task. The attempt is recorded already: what goes wrong is only told. */
export async function afterAttempt(
  session: Pick<MemoryAccess, "settings">,
  context: TaskContext,
  taskId: string,
  {
    isFatal = () => false,
  }: {
    /** Whether an error is thrown after all: whoever can do all of it again later need not go on without. */
    isFatal?: (error: unknown) => boolean;
  } = {},
): Promise<string[]> {
  const promotion = (await session.settings())["learnings.promotion"];
  const isReviewed = promotion === "review";
  const problemsOf = async (what: string, work: () => Promise<unknown>): Promise<string[]> => {
    try {
      await work();
      return [];
    } catch (error) {
      if (isFatal(error)) throw error;
      return [`${what}: ${messageOf(error)}`];
    }
  };
  const problems = await Promise.all([
    problemsOf("skill uses were not counted", () => countSkillUses(context, taskId)),
    ...(promotion === "off"
      ? []
      : [problemsOf("nothing was learned", () => closeTask(context, taskId, { isReviewed }))]),
  ]);
  return problems.flat();
}
