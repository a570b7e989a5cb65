import { numberOfTaskId } from "../../domain/tasks/task.js";
import { inDryRun } from "../../store/in-dry-run.js";
import type { Repositories } from "../../store/store.js";
import { redact } from "../../text/secrets/redact.js";
import type { StoreContext } from "../project/place.js";
import { makeDistinct } from "./distinct-records.js";
import type { ForeignFile } from "./foreign-record.js";
import type { Files } from "./import-verbs.js";
import { isOf, notDoneYet, type PlacedRecord, saveTaken, takeBatch, tell } from "./take-batch.js";
import { resolveForeign, takeLinks } from "./taking/take-links.js";
import { takeNotes } from "./taking/take-notes.js";
import { takeSkill } from "./taking/take-skill.js";
import type { Entry, EntryOf, Taken, Taking } from "./taking/taking.js";

/** Small files are taken in together: a transaction for each would cost more than the work. */
const recordsAtOnce = 500;

type InTransaction = <Result>(work: (tx: Repositories) => Promise<Result>) => Promise<Result>;

/** Takes all files in. A dry run does it in one transaction, which is rolled back. */
export async function takeFiles(
  shelf: StoreContext,
  files: Files,
  taking: Taking,
  onProgress: (done: number) => void,
): Promise<void> {
  const { store } = shelf;
  if (!taking.dryRun) {
    await takeAll(
      files,
      taking,
      (work) => store.transaction(work),
      onProgress,
      async (later) => {
        const taken = await takeFromFiles(shelf, taking, later);
        await store.transaction((tx) => saveTaken(tx, taking, taken));
      },
    );
    return;
  }
  const postponed: Entry[] = [];
  await inDryRun(store, (tx) =>
    takeAll(
      files,
      taking,
      (work) => work(tx),
      onProgress,
      async (later) => {
        postponed.push(...later);
        // Links of the records that would be there are looked at, too.
        await saveTaken(tx, taking, new Map(later.map((entry) => [entry, foreseen(entry)])));
      },
    ),
  );
  await takeFromFiles(shelf, taking, postponed);
}

function foreseen({ record, known }: Entry): Taken {
  return { outcome: "added", recordId: known?.recordId ?? `mem-${record.id}` };
}

async function takeAll(
  files: Files,
  taking: Taking,
  inTransaction: InTransaction,
  onProgress: (done: number) => void,
  takeLater: (later: Entry[]) => Promise<void>,
): Promise<void> {
  const links: EntryOf<"link">[] = [];
  const related = new Map<string, readonly string[]>();
  let done = 0;
  for await (const records of inBatches(files)) {
    const { later, ...batch } = await inTransaction((tx) => takeBatch(tx, taking, records));
    links.push(...batch.links);
    for (const [id, ids] of batch.related) related.set(id, ids);
    if (later.length > 0) await takeLater(later);
    done += records.length;
    onProgress(done);
  }
  for (let at = 0; at < links.length; at += recordsAtOnce)
    await inTransaction(async (tx) => {
      const some = await notDoneYet(tx, taking, links.slice(at, at + recordsAtOnce));
      const taken = await takeLinks(tx, taking, some);
      tell(taking, taken);
      await saveTaken(tx, taking, taken);
    });
  if (related.size > 0) await inTransaction((tx) => relate(tx, taking, related));
}

async function* inBatches(files: Files): AsyncGenerator<PlacedRecord[]> {
  let batch: PlacedRecord[] = [];
  let last: string | undefined;
  let place = 0;
  const distinct = makeDistinct();
  for await (const { file, records } of files as AsyncIterable<ForeignFile>) {
    // A large file comes in parts.
    if (file !== last) place = 0;
    last = file;
    const safe = redact(file).text;
    for (const record of records) {
      batch.push({ file: safe, place, record: distinct(record) });
      place += 1;
    }
    if (batch.length < recordsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Notes and skills are files, and belong to no transaction. */
async function takeFromFiles(
  shelf: StoreContext,
  taking: Taking,
  entries: readonly Entry[],
): Promise<Map<Entry, Taken>> {
  const notes = entries.filter((entry) => isOf(entry, "note"));
  const taken = await takeNotes(shelf, taking, notes);
  for (const entry of entries) if (isOf(entry, "skill")) taken.set(entry, await takeSkill(taking, entry));
  tell(taking, taken);
  return taken;
}

/** Tasks name others by the ids that they had elsewhere, also some that came after them. */
async function relate(
  tx: Repositories,
  { layout }: Taking,
  related: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const ids = await resolveForeign(tx, layout, [...new Set([...related.values()].flat())]);
  for (const [taskId, names] of related) {
    const own = names.map((name) => ids.get(name) ?? name);
    const number = numberOfTaskId(taskId);
    if (number !== undefined && own.some((id, index) => id !== names[index]))
      await tx.tasks.setRelated(number, own);
  }
}
