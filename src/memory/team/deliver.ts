import { isDeepStrictEqual } from "node:util";
import { isStoreAway, RalphError } from "../../domain/ralph-error.js";
import { completeAttempt } from "../../episodic/attempts/end-attempt.js";
import { endTurn } from "../../episodic/attempts/end-iteration.js";
import { logEntries } from "../../episodic/attempts/storable-action.js";
import { taskKind } from "../../search/record-kinds.js";
import { checkedRows } from "../../store/dump/check-rows.js";
import { loadRows } from "../../store/dump/load-rows.js";
import { deleteTaskRows, readTaskRows } from "../../store/dump/read-rows.js";
import type { RowSide } from "../../store/dump/row-side.js";
import type { TableRow } from "../../store/dump/table-shapes.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Store } from "../../store/store.js";
import type { MemoryAccess } from "../project/memory-access.js";
import type { StoreContext } from "../project/place.js";
import { type TaskContext, taskContext } from "../project/task-context.js";
import { indexLoaded } from "../records/load-records.js";
import { makePrepareRow } from "../records/prepare-row.js";
import { learnFromAttempt } from "../tasks/tasks.js";
import type { OutboxEntry } from "./outbox.js";
import { findDelivered, isHeldHere } from "./task-place.js";

/** Delivers what waited for a team's server, and tells about it. */
export async function deliverWaiting(session: MemoryAccess, shelf: StoreContext): Promise<void> {
  await session.redacting(async () => {
    const context = await taskContext(session, shelf);
    const { tasks, refused: keptTasks } = await deliverTasks(session, context);
    const { delivered, refused } = await deliverOutbox(session, context);
    const told = [
      ...keptTasks.map(({ taskId, why }) => `${taskId}: ${why}`),
      ...refused.map(({ entry, why }) => `${entry.verb} of ${entry.taskId}: ${why}`),
    ];
    if (delivered + tasks.length + told.length === 0) return;
    session.notify({ kind: "outbox-delivered", tasks, delivered, refused: told });
  });
}

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

export interface Delivered {
  delivered: number;
  /** What the record does not take any more, such as the result of a task that somebody else has ended. */
  refused: { entry: OutboxEntry; why: string }[];
}

/**
 * Records what waits, in the order in which it was kept, each once, also if an earlier delivery was cut off in the middle. It
 * counts as having happened when it was kept.
 */
export async function deliverOutbox(
  session: Pick<MemoryAccess, "settings">,
  context: TaskContext,
): Promise<Delivered> {
  const { store } = context;
  const result: Delivered = { delivered: 0, refused: [] };
  for (;;) {
    const waiting = await store.outbox.first();
    if (waiting === undefined) return result;
    const kept = JSON.parse(waiting.entry) as OutboxEntry;
    const then = { ...context, clock: () => new Date(waiting.kept) };
    const entry = { ...kept, taskId: (await findDelivered(store, kept.taskId))?.id ?? kept.taskId };
    try {
      await recordOnce({ ...then, store: deliveringOnce(store, waiting.token) }, entry);
      // Also if it was recorded before: what follows from a result may have been cut off.
      if (entry.verb === "complete" || entry.verb === "learn")
        await learnFromAttempt(session, then, entry.taskId, { isFatal: isStoreAway });
      result.delivered += 1;
    } catch (error) {
      if (!(error instanceof RalphError) || !isFinal(error)) throw error;
      result.refused.push({ entry, why: error.message });
    }
    await store.outbox.remove(waiting.number);
  }
}

/** Nothing can be done about it. */
function isFinal({ code }: RalphError): boolean {
  return code === "wrong-use" || code === "not-found" || code === "taken-over";
}

async function recordOnce(context: TaskContext, entry: OutboxEntry): Promise<void> {
  try {
    await record(context, entry);
  } catch (error) {
    const wasDelivered = error instanceof RalphError && error.code === "already-exists";
    if (!wasDelivered) throw error;
  }
}

/** The first transaction records the entry; the server knows it by its token. */
function deliveringOnce(store: Store, token: string): Store {
  let isFirst = true;
  return {
    ...store,
    transaction(work, options) {
      const given = isFirst ? { ...options, token } : options;
      isFirst = false;
      return store.transaction(work, given);
    },
  };
}

async function record(context: TaskContext, entry: OutboxEntry): Promise<void> {
  switch (entry.verb) {
    case "log":
      await logEntries(context, entry.taskId, entry.entries, entry.runId);
      return;
    case "end-turn":
      await endTurn(context, entry.taskId, entry.turn);
      return;
    case "complete":
      await completeAttempt(context, entry.taskId, entry.result);
      return;
    case "learn":
      return;
  }
}
