import { isStoreAway, RalphError } from "../../domain/ralph-error.js";
import { numberOfTaskId, uuidStartOf } from "../../domain/tasks/task.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories, Store } from "../../store/store.js";
import type { Memory } from "../memory.js";
import { memoryOn } from "../open-memory.js";
import type { OpenProject } from "../project/open-project.js";
import { projectOf } from "../project-of.js";
import { findHeldRun } from "../runs/refuse-second-run.js";
import { runsOf } from "../runs/runs.js";
import { awayProject } from "./away-project.js";

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

/** The memory for as long as the team's server cannot be reached; closed with the one that it is made from. */
export function awayMemory(memory: Memory): Memory {
  const session = projectOf(memory);
  return session.isAway ? memory : memoryOn(awayProject(session));
}

/** The project in which a task is recorded, and its id there. */
export interface PlacedTask {
  project: OpenProject;
  taskId: string;
}

/** Of a task that began while the server was away; undefined for any other, and while nobody can tell. */
export async function elsewhere(project: OpenProject, taskId = ""): Promise<PlacedTask | undefined> {
  try {
    const place = await projectOfTask(project, taskId);
    return place.project === project && place.taskId === taskId ? undefined : place;
  } catch (error) {
    if (isStoreAway(error)) return undefined;
    throw error;
  }
}

/** An error if the server has it and cannot be reached. */
async function projectOfTask(project: OpenProject, taskId: string): Promise<PlacedTask> {
  if (project.isAway || uuidStartOf(taskId) === undefined) return { project, taskId };
  const place = await placeOfTask(project, taskId);
  if (place.kind === "away") throw place.error;
  return place.kind === "here"
    ? { project: awayProject(project), taskId }
    : { project, taskId: place.taskId };
}

/** The same for an open memory. */
export async function memoryOfTask(
  memory: Memory,
  taskId: string,
): Promise<{ memory: Memory; taskId: string }> {
  const own = projectOf(memory);
  const placed = await projectOfTask(own, taskId);
  return { memory: placed.project === own ? memory : memoryOn(placed.project), taskId: placed.taskId };
}

/** The memory in which something new is recorded: on this machine while the server does not answer what it is asked. */
export async function memoryForNew(
  memory: Memory,
  ask: (memory: Memory) => Promise<unknown>,
  { isKept = true }: { isKept?: boolean } = {},
): Promise<Memory> {
  try {
    await ask(memory);
    return memory;
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    projectOf(memory).notify({ kind: "store-away", message: error.message, isKept });
    const here = awayMemory(memory);
    await ask(here);
    return here;
  }
}

/** The memory, and that of this machine if tasks in it wait for the server; only the latter while the server is away. */
export async function memoriesAtHand(memory: Memory): Promise<Memory[]> {
  const own = await memoryForNew(memory, (asked) => runsOf(asked).findLast(), { isKept: false });
  if (own !== memory) return [own];
  const hasWaiting = await projectOf(memory).read(
    async ({ store }) => (await store.onThisMachine().tasks.listProvisional()).length > 0,
    () => false,
  );
  return hasWaiting ? [memory, awayMemory(memory)] : [memory];
}
