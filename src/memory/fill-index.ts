import { indexTask } from "../episodic/index-task.js";
import { indexLearning } from "../semantic/keep-learning.js";
import type { Repositories } from "../store/store.js";
import type { Notice } from "./notice.js";

/** Derives anew what comes from the records; notes are indexed from their files when these are next read. */
export async function fillIndex(tx: Repositories, notify: (notice: Notice) => void): Promise<void> {
  if (await tx.isDerivedFilled()) return;
  const tasks = await tx.tasks.list({ isArchivedToo: true });
  for (const [index, task] of tasks.toReversed().entries()) {
    await indexTask(tx, task);
    if (index % 1000 === 999)
      notify({ kind: "indexing", what: "tasks", done: index + 1, total: tasks.length });
  }
  for (const { learning } of await tx.learnings.listAll()) await indexLearning(tx, learning);
  await tx.markDerivedFilled();
}
