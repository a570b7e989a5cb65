import { numberOfTaskId, taskIdOf } from "../../../domain/tasks/task.js";
import { restoreTask, updateTask } from "../../../episodic/history/restore-tasks.js";
import type { Repositories } from "../../../store/store.js";
import type { EntryOf, Taken, Taking } from "./taking.js";

/** A task under its own number if that is free; of one that is here already, the later version counts. */
export async function takeTask(
  tx: Repositories,
  { report }: Taking,
  { record: { record: history, id }, known }: EntryOf<"task">,
): Promise<Taken> {
  const number = known?.recordId === undefined ? undefined : numberOfTaskId(known.recordId);
  const here =
    (number === undefined ? undefined : await tx.tasks.find(number)) ??
    (await tx.tasks.findByUuid(history.uuid));
  if (here === undefined) {
    const recordId = await restoreTask(tx, history);
    const own = numberOfTaskId(history.id);
    if (own === undefined || taskIdOf(own) === recordId) return { outcome: "added", recordId };
    report.renumbered.push({ from: id, to: recordId });
    return { outcome: "renumbered", recordId };
  }
  // An import that never saw its original: it was exported from here.
  if (known === undefined && history.updated <= here.updated)
    return { outcome: "present", recordId: here.id };
  if (history.updated >= here.updated) {
    await updateTask(tx, here.number, history);
    return { outcome: "updated", recordId: here.id };
  }
  report.superseded.push({ id, record: here.id, kept: "ours" });
  return { outcome: "superseded", recordId: here.id, lost: history };
}
