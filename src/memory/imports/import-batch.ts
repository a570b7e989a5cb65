import { recordDigest } from "../../domain/record-digest.js";
import { sha256 } from "../../domain/sha256.js";
import { numberOfHandoffId } from "../../domain/working.js";
import { queryHistory } from "../../episodic/history/query-history.js";
import type { Repositories } from "../../store/store.js";
import { fingerprint } from "../../text/fingerprint.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { ForeignKind, ForeignRecord } from "./foreign-record.js";
import { holdBack, isAcceptedByNow } from "./hold-back.js";
import { importForeignLearnings } from "./import-learnings.js";
import { importHandoff, importLedger, importStaged, importTask } from "./import-records.js";
import { count } from "./import-report.js";
import type { Entry, EntryOf, ImportResult, ImportRun } from "./import-run.js";

/** A record without secrets, whose id is unique for its kind. */
export interface PlacedRecord {
  file: string;
  place: number;
  record: ForeignRecord;
}

export interface ImportedBatch {
  /** Created once all records are known. */
  links: EntryOf<"link">[];
  /** Notes and skills. */
  later: Entry[];
  /** The tasks that tasks refer to, by their original ids. */
  related: Map<string, readonly string[]>;
}

/** Imports the records stored in the database, in one transaction. */
export async function importBatch(
  tx: Repositories,
  run: ImportRun,
  records: readonly PlacedRecord[],
): Promise<ImportedBatch> {
  const entries = await toEntries(tx, run, records);
  const batch: ImportedBatch = {
    links: entries.filter((entry) => isOf(entry, "link")),
    later: [],
    related: new Map(),
  };
  const others = entries.filter((entry) => !isOf(entry, "link"));
  const results = new Map<Entry, ImportResult>();
  const learnings: EntryOf<"learning">[] = [];
  for (const entry of await changedEntries(tx, run, others)) {
    if (isOf(entry, "learning")) learnings.push(entry);
    else if (isOf(entry, "skill")) batch.later.push(entry);
    else {
      const result = (await holdBack(tx, run, entry)) ?? (await importOne(tx, run, entry));
      if (result === undefined) batch.later.push(entry);
      else results.set(entry, result);
      const isTask = isOf(entry, "task") && result?.recordId?.startsWith("task-");
      if (isTask) batch.related.set(result?.recordId ?? "", entry.record.record.related_tasks);
    }
  }
  for (const [entry, result] of await importForeignLearnings(tx, run, learnings)) results.set(entry, result);
  reportResults(run, results);
  await saveResults(tx, run, await withDigests(tx, results));
  return batch;
}

/** Undefined for records stored in files. */
async function importOne(tx: Repositories, run: ImportRun, entry: Entry): Promise<ImportResult | undefined> {
  if (isOf(entry, "task")) return importTask(tx, run, entry);
  if (isOf(entry, "staged")) return importStaged(tx, entry);
  if (isOf(entry, "ledger")) return importLedger(tx, run, entry);
  if (isOf(entry, "handoff")) return importHandoff(tx, run, entry);
  if (isOf(entry, "kept")) return { outcome: entry.known === undefined ? "added" : "updated" };
  return undefined;
}

export function isOf<Kind extends ForeignKind>(entry: Entry, kind: Kind): entry is Entry & EntryOf<Kind> {
  return entry.record.kind === kind;
}

async function toEntries(
  tx: Repositories,
  { layout }: ImportRun,
  records: readonly PlacedRecord[],
): Promise<Entry[]> {
  const rows = await tx.foreignRecords.listByIds(layout, [
    ...new Set(records.map(({ record }) => record.id)),
  ]);
  const known = new Map(rows.map((row) => [`${row.kind} ${row.foreignId}`, row]));
  return records.map((each) => ({ ...each, known: known.get(`${each.record.kind} ${each.record.id}`) }));
}

/** The entries whose originals differ from those of an earlier import. */
export async function changedEntries<Some extends Entry>(
  tx: Repositories,
  run: ImportRun,
  entries: readonly Some[],
): Promise<Some[]> {
  const fresh: Some[] = [];
  for (const entry of entries) {
    const { record, known } = entry;
    const isDone =
      known !== undefined &&
      (record.kind === "kept" || known.recordId !== undefined) &&
      JSON.stringify(known.original) === JSON.stringify(record.original) &&
      !(await isAcceptedByNow(tx, run.layout, entry));
    if (isDone) count(run.report, record.kind, "present");
    else fresh.push(entry);
  }
  return fresh;
}

/** Adds digests of the stored records, by which an export detects later changes. */
async function withDigests(
  tx: Repositories,
  results: ReadonlyMap<Entry, ImportResult>,
): Promise<ReadonlyMap<Entry, ImportResult>> {
  const all = new Map<Entry, ImportResult>();
  for (const [entry, result] of results) {
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

export function reportResults({ report }: ImportRun, results: ReadonlyMap<Entry, ImportResult>): void {
  for (const [{ record, file }, { outcome, why = "" }] of results) {
    const { kind, id, line } = record;
    count(report, kind, outcome);
    if (outcome === "skipped")
      report.skipped.push({ file, ...(line !== undefined && { line }), id, kind, why });
  }
}

/** Records the results, and the originals for writing them back. */
export async function saveResults(
  tx: Repositories,
  { layout, now }: ImportRun,
  results: ReadonlyMap<Entry, ImportResult>,
): Promise<void> {
  const imported = now.toISOString();
  for (const [{ record, file, place, known }, { outcome, recordId, digest, lost }] of results) {
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

/**
 * Redacts records and makes their ids unique: a file may contain an id twice, and two ids that were secrets become equal. Stores only a
 * number per id, since there may be millions.
 */
export function withOwnIds(): (record: ForeignRecord) => ForeignRecord {
  const seen = new Set<number>();
  return (given) => {
    const safe = redactDeep(given);
    const numberOf = (id: string) => Number.parseInt(fingerprint(`${safe.kind} ${id}`), 16);
    let id = shortId(safe.id);
    for (let count = 2; seen.has(numberOf(id)); count += 1) id = shortId(`${safe.id} (${count})`);
    seen.add(numberOf(id));
    return { ...safe, id };
  };
}

const longestId = 400;

/** The index of a database accepts no longer ids. */
function shortId(id: string): string {
  return id.length <= longestId ? id : `${id.slice(0, 300)}…${sha256(id)}`;
}
