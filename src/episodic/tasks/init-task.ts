import { notBefore } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Task, TaskStatus } from "../../domain/tasks/task.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask, publicTask } from "./get-task.js";
import { putInIndex } from "./index-task.js";

export interface InitTaskInput {
  description: string;
  completion_criteria?: string | undefined;
  tags?: readonly string[] | undefined;
  related_tasks?: readonly string[] | undefined;
  agent?: string | undefined;
  phase?: string | undefined;
  constraints?: readonly string[] | undefined;
  /** For a task that is also known elsewhere, such as an agent's session; must be new. */
  uuid?: string | undefined;
}

function checkTypes(input: InitTaskInput): void {
  const isText = (value: unknown) => value === undefined || typeof value === "string";
  const isList = (value: unknown) => value === undefined || (Array.isArray(value) && value.every(isText));
  const { description, completion_criteria, agent, phase, tags, related_tasks, constraints } = input ?? {};
  const areTexts = [description, completion_criteria, agent, phase].every(isText);
  if (typeof input === "object" && areTexts && [tags, related_tasks, constraints].every(isList)) return;
  throw new RalphError("wrong-use", "The fields of a task are strings and lists of strings", {
    hint: 'for example { description: "Fix the login test", tags: ["auth"] }',
  });
}

/** Records a new task with the status running. */
export async function initTask(
  { store, clock, newUuid, actor }: EpisodicContext,
  given: InitTaskInput,
): Promise<Task> {
  checkTypes(given);
  const input = redactDeep(given);
  const description = String(input.description ?? "").trim();
  if (description === "") {
    throw new RalphError("wrong-use", "A task needs a description", {
      hint: 'for example: ralph task init "Fix the login test"',
    });
  }
  const now = clock().toISOString();
  const madeBy = await actor?.();
  return store.transaction(async (tx) => {
    const { number, ...task } = await tx.tasks.add({
      uuid: given.uuid ?? newUuid(),
      description,
      created: now,
      updated: now,
      status: "running",
      tags: [...(input.tags ?? [])],
      related_tasks: [...(input.related_tasks ?? [])],
      constraints: [...(input.constraints ?? [])],
      ...(input.completion_criteria && { completion_criteria: input.completion_criteria }),
      ...(input.agent && { agent: input.agent }),
      ...(input.phase && { phase: input.phase }),
      ...(madeBy !== undefined && { made_by: madeBy }),
    });
    await putInIndex(tx, { number, ...task }, { attempts: [], reflections: [], words: "" });
    return task;
  });
}

export const pauseTask = (context: EpisodicContext, taskId: string): Promise<Task> =>
  changeStatus(context, taskId, "running", "paused");

export const continueTask = (context: EpisodicContext, taskId: string): Promise<Task> =>
  changeStatus(context, taskId, "paused", "running");

/** Marks a task as abandoned. */
export const giveUpTask = (context: EpisodicContext, taskId: string): Promise<Task> =>
  changeStatus(context, taskId, "paused", "failed");

async function changeStatus(
  { store, clock }: EpisodicContext,
  taskId: string,
  from: TaskStatus,
  to: TaskStatus,
): Promise<Task> {
  return store.transaction(async (tx) => {
    const task = await getTask(tx, taskId);
    if (task.status !== from) {
      throw new RalphError("wrong-use", `${task.id} is ${task.status}, not ${from}`, {
        hint: `only a ${from} task can become ${to}`,
      });
    }
    await tx.tasks.setStatus(task.number, to, notBefore(task.updated, clock().toISOString()));
    return publicTask(await getTask(tx, taskId));
  });
}
