import { notBefore } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Task, TaskStatus } from "../../domain/tasks/task.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask } from "./get-task.js";
import { publicTask } from "./public-records.js";

export const pauseTask = (context: EpisodicContext, taskId: string): Promise<Task> =>
  changeStatus(context, taskId, "running", "paused");

export const continueTask = (context: EpisodicContext, taskId: string): Promise<Task> =>
  changeStatus(context, taskId, "paused", "running");

/** Nobody will go on with it. */
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
