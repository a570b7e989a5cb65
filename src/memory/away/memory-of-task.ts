import { isStoreAway } from "../../domain/ralph-error.js";
import { uuidStartOf } from "../../domain/tasks/task.js";
import type { Memory } from "../memory.js";
import { memoryOn } from "../open-memory.js";
import { projectOf } from "../project-of.js";
import { runsOf } from "../runs/make-run-verbs.js";
import { awayProject } from "./away-project.js";
import { placeOfTask } from "./place-of-task.js";

/** The memory for as long as the team's server cannot be reached; closed with the one that it is made from. */
export function awayMemory(memory: Memory): Memory {
  const session = projectOf(memory);
  return session.isAway ? memory : memoryOn(awayProject(session));
}

/** The memory in which a task is recorded, and its id there. */
export interface PlacedTask {
  memory: Memory;
  taskId: string;
}

/** Of a task that began while the server was away; undefined for any other, and while nobody can tell. */
export async function elsewhere(memory: Memory, taskId = ""): Promise<PlacedTask | undefined> {
  try {
    const place = await memoryOfTask(memory, taskId);
    return place.memory === memory && place.taskId === taskId ? undefined : place;
  } catch (error) {
    if (isStoreAway(error)) return undefined;
    throw error;
  }
}

/** An error if the server has it and cannot be reached. */
export async function memoryOfTask(memory: Memory, taskId: string): Promise<PlacedTask> {
  const session = projectOf(memory);
  if (session.isAway || uuidStartOf(taskId) === undefined) return { memory, taskId };
  const place = await placeOfTask(session, taskId);
  if (place.kind === "away") throw place.error;
  return place.kind === "here" ? { memory: awayMemory(memory), taskId } : { memory, taskId: place.taskId };
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
