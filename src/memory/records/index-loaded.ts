import { taskIdOf } from "../../domain/tasks/task.js";
import { taskDocument } from "../../episodic/tasks/index-task.js";
import { learningKind, taskKind } from "../../search/record-kinds.js";
import { learningDocument } from "../../semantic/records/write-learning.js";
import type { Load } from "../../store/dump/load-rows.js";
import type { RowLoading } from "../../store/dump/row-side.js";
import type { SearchKind } from "../../store/lexical-index.js";
import type { Repositories } from "../../store/store.js";

const atOnce = 100;

/**
 * Makes the index entries of what came in. Those of what was here are made if an earlier load was stopped before it did: they are
 * missing, or are of an earlier version.
 */
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
    ...(await lacking(index, taskKind, [...load.knownTasks], async (tx, some) =>
      (
        await tx.tasks.listByNumbers(some)
      ).map(({ number, updated }) => ({
        ...{ item: number, id: taskIdOf(number), time: Date.parse(updated) },
      })),
    )),
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
    ...(await lacking(index, learningKind, [...load.knownLearnings], async (tx, some) =>
      (
        await tx.learnings.listByIds(some)
      ).map(({ learning: { id, updatedAt } }) => ({
        ...{ item: id, id, time: Date.parse(updatedAt) || 0 },
      })),
    )),
  ];
  await inSteps([...new Set(ids)], (some) =>
    index(async (tx) => {
      const rows = new Map((await tx.learnings.listByIds(some)).map((row) => [row.learning.id, row]));
      const learnings = some.flatMap((id) => rows.get(id)?.learning ?? []);
      await tx.lexical.putAll(learnings.map(learningDocument));
    }),
  );
}

interface Version<Item> {
  item: Item;
  id: string;
  /** That it is indexed with. */
  time: number;
}

async function lacking<Item>(
  index: RowLoading["index"],
  kind: SearchKind,
  items: readonly Item[],
  read: (tx: Repositories, some: readonly Item[]) => Promise<Version<Item>[]>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    let lackingHere: Item[] = [];
    await index(async (tx) => {
      const versions = await read(tx, items.slice(at, at + atOnce));
      const scope = { kind, sources: [""], labelGroups: [] };
      const indexed = await tx.lexical.keepAllowed(
        scope,
        versions.map(({ id }) => id),
      );
      const times = new Map(indexed.map(({ id, time }) => [id, time]));
      lackingHere = versions.filter(({ id, time }) => times.get(id) !== time).map(({ item }) => item);
    });
    found.push(...lackingHere);
  }
  return found;
}
