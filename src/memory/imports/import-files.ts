import { numberOfTaskId } from "../../domain/tasks/task.js";
import { inDryRun } from "../../store/in-dry-run.js";
import type { Repositories } from "../../store/store.js";
import { redact } from "../../text/secrets/redact.js";
import type { StoreContext } from "../project/place.js";
import type { ForeignFile } from "./foreign-record.js";
import {
  changedEntries,
  importBatch,
  isOf,
  type PlacedRecord,
  reportResults,
  saveResults,
  withOwnIds,
} from "./import-batch.js";
import { importLinks, resolveForeign } from "./import-links.js";
import { importNotes } from "./import-notes.js";
import { importSkill } from "./import-records.js";
import type { Entry, EntryOf, ImportResult, ImportRun } from "./import-run.js";
import type { Files } from "./import-verbs.js";

/** Small files are imported together, because a transaction for each would cost more than the work. */
const recordsAtOnce = 500;

type InTransaction = <Result>(work: (tx: Repositories) => Promise<Result>) => Promise<Result>;

/** Imports all files. A dry run does it in one transaction, which is rolled back. */
export async function importFiles(
  context: StoreContext,
  files: Files,
  run: ImportRun,
  onProgress: (done: number) => void,
): Promise<void> {
  const { store } = context;
  if (!run.dryRun) {
    await importAll(
      files,
      run,
      (work) => store.transaction(work),
      onProgress,
      async (later) => {
        const results = await importFileRecords(context, run, later);
        await store.transaction((tx) => saveResults(tx, run, results));
      },
    );
    return;
  }
  const postponed: Entry[] = [];
  await inDryRun(store, (tx) =>
    importAll(
      files,
      run,
      (work) => work(tx),
      onProgress,
      async (later) => {
        postponed.push(...later);
        // Also checks links of the records that would be created.
        await saveResults(tx, run, new Map(later.map((entry) => [entry, predicted(entry)])));
      },
    ),
  );
  await importFileRecords(context, run, postponed);
}

function predicted({ record, known }: Entry): ImportResult {
  return { outcome: "added", recordId: known?.recordId ?? `mem-${record.id}` };
}

async function importAll(
  files: Files,
  run: ImportRun,
  inTransaction: InTransaction,
  onProgress: (done: number) => void,
  importLater: (later: Entry[]) => Promise<void>,
): Promise<void> {
  const links: EntryOf<"link">[] = [];
  const related = new Map<string, readonly string[]>();
  let done = 0;
  for await (const records of inBatches(files)) {
    const { later, ...batch } = await inTransaction((tx) => importBatch(tx, run, records));
    links.push(...batch.links);
    for (const [id, ids] of batch.related) related.set(id, ids);
    if (later.length > 0) await importLater(later);
    done += records.length;
    onProgress(done);
  }
  for (let at = 0; at < links.length; at += recordsAtOnce)
    await inTransaction(async (tx) => {
      const some = await changedEntries(tx, run, links.slice(at, at + recordsAtOnce));
      const results = await importLinks(tx, run, some);
      reportResults(run, results);
      await saveResults(tx, run, results);
    });
  if (related.size > 0) await inTransaction((tx) => relate(tx, run, related));
}

async function* inBatches(files: Files): AsyncGenerator<PlacedRecord[]> {
  let batch: PlacedRecord[] = [];
  let last: string | undefined;
  let place = 0;
  const distinct = withOwnIds();
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

/** Notes and skills are files, outside of any transaction. */
async function importFileRecords(
  context: StoreContext,
  run: ImportRun,
  entries: readonly Entry[],
): Promise<Map<Entry, ImportResult>> {
  const notes = entries.filter((entry) => isOf(entry, "note"));
  const results = await importNotes(context, run, notes);
  for (const entry of entries) if (isOf(entry, "skill")) results.set(entry, await importSkill(run, entry));
  reportResults(run, results);
  return results;
}

/** Tasks refer to others by their original ids, including later ones. */
async function relate(
  tx: Repositories,
  { layout }: ImportRun,
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
