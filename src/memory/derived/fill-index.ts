import { taskDocument } from "../../episodic/tasks/index-task.js";
import { learningDocument } from "../../semantic/records/write-learning.js";
import type { SearchDocument } from "../../store/lexical-index.js";
import type { Repositories } from "../../store/store.js";
import type { Notice } from "../notice.js";

/** Records are read and indexed together, so that a server is not asked for each. */
const atOnce = 200;

/** Rebuilds the index entries of tasks and learnings; notes are indexed when their files are next read. */
export async function fillIndex(tx: Repositories, notify: (notice: Notice) => void): Promise<void> {
  if (await tx.isDerivedFilled()) return;
  const index = async <Record>(
    what: "tasks" | "learnings",
    records: readonly Record[],
    documentOf: (record: Record) => SearchDocument | Promise<SearchDocument>,
  ) => {
    for (let done = 0; done < records.length; ) {
      const some = records.slice(done, done + atOnce);
      await tx.lexical.putAll(await Promise.all(some.map(documentOf)));
      done += some.length;
      if (done % 1000 === 0) notify({ kind: "indexing", what, done, total: records.length });
    }
  };
  const tasks = await tx.tasks.list({ includesArchived: true });
  await index("tasks", tasks.toReversed(), (task) => taskDocument(tx, task));
  const learnings = await tx.learnings.listAll();
  await index("learnings", learnings, ({ learning }) => learningDocument(learning));
  await tx.lexical.countFrequentWords();
  await tx.markDerivedFilled();
}
