import { RalphError } from "../domain/ralph-error.js";
import type { Task } from "../domain/task.js";
import { redact } from "../text/redact.js";
import type { EpisodicContext } from "./episodic-context.js";
import { indexTask } from "./index-task.js";

export interface InitTaskInput {
  description: string;
  completion_criteria?: string | undefined;
  tags?: readonly string[] | undefined;
  related_tasks?: readonly string[] | undefined;
  agent?: string | undefined;
  phase?: string | undefined;
  constraints?: readonly string[] | undefined;
}

/** Records a new task, which is running from now on. */
export async function initTask(
  { store, clock, newUuid }: EpisodicContext,
  input: InitTaskInput,
): Promise<Task> {
  const description = redact(String(input.description ?? "").trim()).text;
  if (description === "") {
    throw new RalphError("wrong-use", "A task needs a description", {
      hint: 'for example: ralph task init "Fix the login test"',
    });
  }
  const now = clock().toISOString();
  return store.transaction(async (tx) => {
    const { number, ...task } = await tx.tasks.add({
      uuid: newUuid(),
      description,
      created: now,
      updated: now,
      status: "running",
      tags: [...(input.tags ?? [])],
      related_tasks: [...(input.related_tasks ?? [])],
      constraints: [...(input.constraints ?? [])],
      ...(input.completion_criteria && { completion_criteria: redact(input.completion_criteria).text }),
      ...(input.agent && { agent: input.agent }),
      ...(input.phase && { phase: input.phase }),
    });
    await indexTask(tx, { number, ...task });
    return task;
  });
}
