import { isDeepStrictEqual } from "node:util";
import { isStoreAway, RalphError } from "../../domain/ralph-error.js";
import { taskKind } from "../../search/record-kinds.js";
import { checkedRows } from "../../store/dump/check-rows.js";
import { loadRows } from "../../store/dump/load-rows.js";
import { deleteTaskRows, readTaskRows } from "../../store/dump/read-rows.js";
import type { RowSide } from "../../store/dump/row-side.js";
import type { TableRow } from "../../store/dump/table-shapes.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Store } from "../../store/store.js";
import type { MemoryAccess } from "../project/memory-access.js";
import type { TaskContext } from "../project/task-context.js";
import { indexLoaded } from "../records/load-records.js";
import { makePrepareRow } from "../records/prepare-row.js";
import { learnFromAttempt } from "../tasks/tasks.js";
import { findDelivered, isHeldHere } from "./place-of-task.js";

export interface DeliveredTask {
  /** As it was known on this machine. */
  from: string;
  to: string;
}

export interface DeliveredTasks {
  tasks: DeliveredTask[];
  /** That the server does not take; they stay on this machine. */
  refused: { taskId: string; why: string }[];
}

/**
 * Moves the tasks that began while the server was away to the server, except those that a run here is at work on. A task is
 * removed from this machine only after the server has all of it and has learned from it, so whatever is cut off is done again;
 * the server knows the task by its UUID, and takes nothing twice.
 */
export async function deliverTasks(
  session: Pick<MemoryAccess, "settings">,
  context: TaskContext,
): Promise<DeliveredTasks> {
  const local = context.store.onThisMachine();
  const result: DeliveredTasks = { tasks: [], refused: [] };
  for (const task of await local.tasks.listProvisional()) {
    if (await isHeldHere(local, task.number, context.clock())) continue;
    try {
      result.tasks.push({ from: task.id, to: await deliverTask(session, context, local, task) });
    } catch (error) {
      if (!(error instanceof RalphError) || mayPass(error)) throw error;
      result.refused.push({ taskId: task.id, why: error.message });
    }
  }
  return result;
}

function mayPass({ code }: RalphError): boolean {
  return code === "store-away" || code === "store-busy";
}

async function deliverTask(
  session: Pick<MemoryAccess, "settings">,
  context: TaskContext,
  local: Store,
  task: StoredTask,
): Promise<string> {
  const [here, there] = [await taskSide(local), await taskSide(context.store)];
  for (;;) {
    const rows = await here.atOneMoment((sql) => readTaskRows(sql, here.dialect, task.number));
    await loadTask(there, rows);
    const { id } = (await findDelivered(context.store, task.id)) ?? task;
    if (rows.some(({ table, row }) => table === "attempts" && row.ended !== null))
      await learnFromAttempt(session, context, id, { isFatal: isStoreAway });
    // Another process may have recorded something meanwhile.
    if (await removeIfSame(here, task, rows)) return id;
  }
}

async function taskSide(store: Store): Promise<RowSide> {
  const side = (await store.rowSides()).find(({ tables }) => tables.includes("tasks"));
  if (side === undefined) throw new TypeError("A store without tasks");
  return side;
}

/** In one transaction, so that nobody sees a part of the task, and two who deliver it wait for each other. */
async function loadTask(there: RowSide, rows: readonly TableRow[]): Promise<void> {
  await there.loadAtOnce(async (loading) => {
    const load = await loadRows(checkedRows(oneByOne(rows)), {
      side: there,
      loading,
      highest: { tasks: 0, handoffs: 0 },
      prepare: makePrepareRow(),
    });
    await indexLoaded(loading.index, load, () => undefined);
  });
}

async function* oneByOne(rows: readonly TableRow[]): AsyncGenerator<TableRow> {
  for (const { table, row } of rows) yield { table, row: { ...row } };
}

/** False if the task is not as it was delivered. */
function removeIfSame(here: RowSide, task: StoredTask, rows: readonly TableRow[]): Promise<boolean> {
  return here.loadAtOnce(async ({ read, write, index }) => {
    if (!isDeepStrictEqual(await readTaskRows(read, here.dialect, task.number), rows)) return false;
    await write((sql) => deleteTaskRows(sql, here.dialect, task.number));
    await index(async (tx) => {
      const key = { kind: taskKind, id: task.id, source: "" } as const;
      await tx.lexical.remove(key);
      await tx.vectors.remove(key);
    });
    return true;
  });
}
