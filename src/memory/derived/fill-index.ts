import { indexTask } from "../../episodic/tasks/index-task.js";
import { indexLearning } from "../../semantic/records/index-learning.js";
import type { Repositories } from "../../store/store.js";
import type { Notice } from "../notice.js";

/** Rebuilds the index entries of tasks and learnings; notes are indexed when their files are next read. */
export async function fillIndex(tx: Repositories, notify: (notice: Notice) => void): Promise<void> {
  if (await tx.isDerivedFilled()) return;
  const report = (what: "tasks" | "learnings", done: number, total: number) => {
    if (done % 1000 === 0) notify({ kind: "indexing", what, done, total });
  };
  const tasks = await tx.tasks.list({ includesArchived: true });
  for (const [index, task] of tasks.toReversed().entries()) {
    await indexTask(tx, task);
    report("tasks", index + 1, tasks.length);
  }
  const learnings = await tx.learnings.listAll();
  for (const [index, { learning }] of learnings.entries()) {
    await indexLearning(tx, learning);
    report("learnings", index + 1, learnings.length);
  }
  await tx.markDerivedFilled();
}
