import { taskIdOf } from "../../domain/tasks/task.js";
import { taskDocument } from "../../episodic/tasks/index-task.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import { taskKind } from "../../search/documents/task-labels.js";
import { learningDocument } from "../../semantic/records/index-learning.js";
import type { Load } from "../../store/dump/loading/load-rows.js";
import type { RowLoading } from "../../store/dump/row-side.js";
import type { SearchKind } from "../../store/lexical-index.js";

const atOnce = 100;

/** Makes the index entries of what came in; those of what was here are made if an earlier load was stopped before it did. */
export async function indexLoaded(
  index: RowLoading["index"],
  load: Load,
  onProgress: (done: number) => void,
): Promise<void> {
  let done = 0;
  const inSteps = async <Item>(items: readonly Item[], work: (some: Item[]) => Promise<void>) => {
    for (let at = 0; at < items.length; at += atOnce) {
      const some = items.slice(at, at + atOnce);
      await work(some);
      done += some.length;
      onProgress(done);
    }
  };
  const numbers = [
    ...load.changedTasks,
    ...(await lacking(index, taskKind, [...load.knownTasks], (number) => taskIdOf(number))),
  ].sort((one, other) => one - other);
  await inSteps([...new Set(numbers)], (some) =>
    index(async (tx) => {
      const tasks = await tx.tasks.listByNumbers(some);
      tasks.sort((one, other) => one.number - other.number);
      await tx.lexical.putAll(await Promise.all(tasks.map((task) => taskDocument(tx, task))));
    }),
  );
  const ids = [
    ...load.changedLearnings,
    ...(await lacking(index, learningKind, [...load.knownLearnings], (id) => id)),
  ];
  await inSteps([...new Set(ids)], (some) =>
    index(async (tx) => {
      const rows = new Map((await tx.learnings.listByIds(some)).map((row) => [row.learning.id, row]));
      const learnings = some.flatMap((id) => rows.get(id)?.learning ?? []);
      await tx.lexical.putAll(learnings.map(learningDocument));
    }),
  );
}

async function lacking<Item>(
  index: RowLoading["index"],
  kind: SearchKind,
  items: readonly Item[],
  idOf: (item: Item) => string,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    const some = items.slice(at, at + atOnce);
    await index(async ({ lexical }) => {
      const scope = { kind, sources: [""], labelGroups: [] };
      const indexed = new Set((await lexical.keepAllowed(scope, some.map(idOf))).map(({ id }) => id));
      found.push(...some.filter((item) => !indexed.has(idOf(item))));
    });
  }
  return found;
}
