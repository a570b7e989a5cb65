import { indexTask } from "../../episodic/tasks/index-task.js";
import { indexLearning } from "../../semantic/records/index-learning.js";
import type { Repositories } from "../../store/store.js";
import type { Notice } from "../notice.js";

/** Derives anew what comes from the records; notes are indexed from their files when these are next read. */
export async function fillIndex(tx: Repositories, notify: (notice: Notice) => void): Promise<void> {
  if (await tx.isDerivedFilled()) return;
  const tell = (what: "tasks" | "learnings", place: number, total: number) => {
    if (place % 1000 === 999) notify({ kind: "indexing", what, done: place + 1, total });
  };
  const tasks = await tx.tasks.list({ includesArchived: true });
  for (const [place, task] of tasks.toReversed().entries()) {
    await indexTask(tx, task);
    tell("tasks", place, tasks.length);
  }
  const learnings = await tx.learnings.listAll();
  for (const [place, { learning }] of learnings.entries()) {
    await indexLearning(tx, learning);
    tell("learnings", place, learnings.length);
  }
  await tx.markDerivedFilled();
}
