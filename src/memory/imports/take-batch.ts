import { recordDigest } from "../../domain/record-digest.js";
import { numberOfHandoffId } from "../../domain/working.js";
import { queryHistory } from "../../episodic/history/query-history.js";
import type { Repositories } from "../../store/store.js";
import type { ForeignKind, ForeignRecord } from "./foreign-record.js";
import { count } from "./import-report.js";
import { shortId } from "./short-id.js";
import { findExported } from "./taking/find-exported.js";
import { holdBack, isAcceptedMeanwhile } from "./taking/hold-back.js";
import { takeLearnings } from "./taking/take-learnings.js";
import { takeStaged } from "./taking/take-staged.js";
import { takeTask } from "./taking/take-task.js";
import { takeHandoff, takeLedger } from "./taking/take-working.js";
import type { Entry, EntryOf, Taken, Taking } from "./taking/taking.js";

/** A record without secrets, whose id no other one of its kind has. */
export interface PlacedRecord {
  file: string;
  place: number;
  record: ForeignRecord;
}

export interface TakenBatch {
  /** To be joined once all records are known. */
  links: EntryOf<"link">[];
  /** Notes and skills. */
  later: Entry[];
  /** The tasks that tasks name, by the ids that they had elsewhere. */
  related: Map<string, readonly string[]>;
}

/** Takes in what goes to the database, in one transaction. */
export async function takeBatch(
  tx: Repositories,
  taking: Taking,
  records: readonly PlacedRecord[],
): Promise<TakenBatch> {
  const entries = await toEntries(tx, taking, records);
  const batch: TakenBatch = {
    links: entries.filter((entry) => isOf(entry, "link")),
    later: [],
    related: new Map(),
  };
  const others = entries.filter((entry) => !isOf(entry, "link"));
  const taken = new Map<Entry, Taken>();
  const learnings: EntryOf<"learning">[] = [];
  for (const entry of await notDoneYet(tx, taking, others)) {
    const exported = await findExported(tx, taking, entry.record);
    if (exported !== undefined) {
      taking.exported.set(entry.record.id, exported);
      taken.set(entry, { outcome: "present", isOurs: true });
    } else if (isOf(entry, "learning")) learnings.push(entry);
    else if (isOf(entry, "skill")) batch.later.push(entry);
    else {
      const result = (await holdBack(tx, taking, entry)) ?? (await takeOne(tx, taking, entry));
      if (result === undefined) batch.later.push(entry);
      else taken.set(entry, result);
      const isTask = isOf(entry, "task") && result?.recordId?.startsWith("task-");
      if (isTask) batch.related.set(result?.recordId ?? "", entry.record.record.related_tasks);
    }
  }
  for (const [entry, result] of await takeLearnings(tx, taking, learnings)) taken.set(entry, result);
  tell(taking, taken);
  await saveTaken(tx, taking, await withDigests(tx, taken));
  return batch;
}

/** Undefined for what is kept in a file. */
async function takeOne(tx: Repositories, taking: Taking, entry: Entry): Promise<Taken | undefined> {
  if (isOf(entry, "task")) return takeTask(tx, taking, entry);
  if (isOf(entry, "staged")) return takeStaged(tx, entry);
  if (isOf(entry, "ledger")) return takeLedger(tx, taking, entry);
  if (isOf(entry, "handoff")) return takeHandoff(tx, taking, entry);
  if (isOf(entry, "kept")) return { outcome: entry.known === undefined ? "added" : "updated" };
  return undefined;
}

export function isOf<Kind extends ForeignKind>(entry: Entry, kind: Kind): entry is Entry & EntryOf<Kind> {
  return entry.record.kind === kind;
}

async function toEntries(
  tx: Repositories,
  { layout }: Taking,
  records: readonly PlacedRecord[],
): Promise<Entry[]> {
  const rows = await tx.foreignRecords.listByIds(layout, [
    ...new Set(records.map(({ record }) => record.id)),
  ]);
  const known = new Map(rows.map((row) => [`${row.kind} ${row.foreignId}`, row]));
  return records.map((each) => ({ ...each, known: known.get(`${each.record.kind} ${each.record.id}`) }));
}

/** Without those that are as they were when they were imported, whatever became of them here. */
export async function notDoneYet<Some extends Entry>(
  tx: Repositories,
  taking: Taking,
  entries: readonly Some[],
): Promise<Some[]> {
  const fresh: Some[] = [];
  for (const entry of entries) {
    const { record, known } = entry;
    const isDone =
      known !== undefined &&
      (record.kind === "kept" || known.recordId !== undefined) &&
      JSON.stringify(known.original) === JSON.stringify(record.original) &&
      !(await isAcceptedMeanwhile(tx, taking.layout, entry));
    if (isDone) count(taking.report, record.kind, "present");
    else fresh.push(entry);
  }
  return fresh;
}

/** Of the records as they are here now, so that an export can tell whether they were changed since. */
async function withDigests(
  tx: Repositories,
  taken: ReadonlyMap<Entry, Taken>,
): Promise<ReadonlyMap<Entry, Taken>> {
  const all = new Map<Entry, Taken>();
  for (const [entry, result] of taken) {
    const { kind } = entry.record;
    const record = result.recordId === undefined ? undefined : await findStored(tx, kind, result.recordId);
    all.set(entry, record === undefined ? result : { ...result, digest: recordDigest(kind, record) });
  }
  return all;
}

async function findStored(tx: Repositories, kind: ForeignKind, id: string): Promise<unknown> {
  if (kind === "task" && id.startsWith("task-")) return queryHistory({ store: tx }, id, { isFull: true });
  if (kind === "learning") return (await tx.learnings.find(id))?.learning;
  if (kind === "staged") return tx.stagedLearnings.find(id);
  if (kind === "ledger") return tx.ledgers.find(id);
  const number = kind === "handoff" ? numberOfHandoffId(id) : undefined;
  return number === undefined ? undefined : tx.handoffs.find(number);
}

export function tell({ report }: Taking, taken: ReadonlyMap<Entry, Taken>): void {
  for (const [{ record, file }, { outcome, why = "" }] of taken) {
    const { kind, id, line } = record;
    count(report, kind, outcome);
    if (outcome === "skipped")
      report.skipped.push({ file, ...(line !== undefined && { line }), id, kind, why });
  }
}

/** Remembers what became of records, and how they were written elsewhere. */
export async function saveTaken(
  tx: Repositories,
  { layout, now }: Taking,
  taken: ReadonlyMap<Entry, Taken>,
): Promise<void> {
  const imported = now.toISOString();
  for (const [{ record, file, place, known }, { outcome, recordId, digest, lost, isOurs }] of taken) {
    if (isOurs) continue;
    const { kind, id: foreignId, original } = record;
    const isDangling = kind === "link" && known === undefined;
    if (outcome === "skipped" && !isDangling) continue;
    const row = { layout, file, place, imported };
    await tx.foreignRecords.save({ ...row, kind, foreignId, recordId, original, digest });
    if (lost !== undefined)
      await tx.foreignRecords.save({
        ...{ ...row, kind: "superseded", recordId, original: lost },
        foreignId: shortId(`${kind} ${foreignId} ${imported}`),
      });
  }
}
