import { RalphError } from "../../domain/ralph-error.js";
import { type Reflection, type ReflectionType, reflectionTypes } from "../../domain/tasks/reflection.js";
import { suggest } from "../../text/nearest.js";
import { redact } from "../../text/secrets/redact.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask } from "../tasks/get-task.js";
import { indexTask } from "../tasks/index-task.js";

export interface ReflectionInput {
  observation: string;
  analysis?: string | undefined;
  learning?: string | undefined;
  action_items?: readonly string[] | undefined;
  reflection_type?: ReflectionType | undefined;
}

/** Records a reflection that a person or an agent wrote. */
export async function reflectByHand(
  { store, clock }: EpisodicContext,
  taskId: string,
  input: ReflectionInput,
): Promise<Reflection> {
  const type = input.reflection_type ?? "process-improvement";
  if (!reflectionTypes.includes(type)) {
    throw new RalphError("wrong-use", `Unknown reflection type: ${type}`, {
      hint: suggest(type, reflectionTypes),
    });
  }
  const safe = (text: string | undefined) => redact((text ?? "").trim()).text;
  if (safe(input.observation) === "") throw new RalphError("wrong-use", "A reflection needs an observation");
  return store.transaction(async (tx) => {
    const task = await getTask(tx, taskId);
    const reflection: Reflection = {
      timestamp: clock().toISOString(),
      task_id: task.id,
      attempt_id: task.current_attempt,
      observation: safe(input.observation),
      analysis: safe(input.analysis),
      learning: safe(input.learning) || safe(input.observation),
      action_items: (input.action_items ?? []).map(safe),
      triggered_by: "manual",
      written_by: "person",
      reflection_type: type,
    };
    await tx.reflections.record(task.number, reflection);
    await indexTask(tx, task);
    return reflection;
  });
}
