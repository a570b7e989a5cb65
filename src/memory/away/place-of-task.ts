import { isStoreAway, RalphError } from "../../domain/ralph-error.js";
import { numberOfTaskId, uuidStartOf } from "../../domain/tasks/task.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories, Store } from "../../store/store.js";
import type { OpenProject } from "../project/open-project.js";
import { findHeldRun } from "../runs/live-runs.js";

/** Where a task with a provisional id is: still on this machine, or delivered, with the id that it has now. */
export type PlaceOfTask =
  | { kind: "here" }
  | { kind: "delivered"; taskId: string }
  /** The server has it, and cannot be reached. */
  | { kind: "away"; error: RalphError };

/** Asks the server unless a run on this machine is at work on the task; what can be delivered is delivered with that. */
export async function placeOfTask(session: OpenProject, taskId: string): Promise<PlaceOfTask> {
  const number = numberOfTaskId(taskId) ?? 0;
  const isHere = await onThisMachine(
    session,
    async (local) => (await local.tasks.find(number)) !== undefined,
  );
  const isHeld =
    isHere && (await onThisMachine(session, (local) => isHeldHere(local, number, session.clock())));
  if (isHeld) return { kind: "here" };
  try {
    const delivered = await session.read(
      ({ store }) => findDelivered(store, taskId),
      () => undefined,
    );
    if (delivered !== undefined) return { kind: "delivered", taskId: delivered.id };
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    if (!isHere) return { kind: "away", error };
    session.notify({ kind: "store-away", message: error.message, isKept: true });
  }
  return { kind: "here" };
}

/** Whether a run of this machine is at work on it. */
export async function isHeldHere(local: Repositories, taskNumber: number, now: Date): Promise<boolean> {
  return (await findHeldRun(local, await local.runs.listForTask(taskNumber), now)) !== undefined;
}

/** The task with the number that the server gave it. */
export async function findDelivered(
  { tasks }: Pick<Repositories, "tasks">,
  taskId: string,
): Promise<StoredTask | undefined> {
  const start = uuidStartOf(taskId);
  if (start === undefined) return undefined;
  const [task, other] = (await tasks.listByUuidStart(start)).filter(
    ({ id }) => uuidStartOf(id) === undefined,
  );
  if (task === undefined || other === undefined) return task;
  throw new RalphError("ambiguous", `${taskId} may be ${task.id} or ${other.id}`, {
    hint: `say which: ralph history ${task.id}`,
  });
}

function onThisMachine(session: OpenProject, ask: (local: Store) => Promise<boolean>): Promise<boolean> {
  return session.read(
    ({ store }) => ask(store.onThisMachine()),
    () => false,
  );
}
