import { RalphError } from "../../domain/ralph-error.js";
import { taskIdOf } from "../../domain/tasks/task.js";
import { taskDocument } from "../../episodic/tasks/index-task.js";
import { learningKind, taskKind } from "../../search/record-kinds.js";
import { learningDocument } from "../../semantic/records/write-learning.js";
import { checkedRows } from "../../store/dump/check-rows.js";
import { type Load, type LoadOptions, loadRows } from "../../store/dump/load-rows.js";
import type { TableCounts } from "../../store/dump/read-rows.js";
import type { RowLoading, RowSide } from "../../store/dump/row-side.js";
import type { CanonicalTable, TableRow } from "../../store/dump/table-shapes.js";
import type { SearchKind } from "../../store/lexical-index.js";
import { schemaVersion } from "../../store/schema-version.js";
import type { Repositories } from "../../store/store.js";
import { makePrepareRow } from "./prepare-row.js";
import type { DumpOrigin, LoadedRecords, LoadRecordsOptions } from "./record-verbs.js";

interface LoadSidesOptions extends LoadRecordsOptions {
  onRows?: LoadOptions["onRows"];
  onLoaded?(load: Load): void;
}

/** Adds rows to the databases of a store, each to the one that keeps its table. */
export async function loadRecords(
  [side, ...others]: readonly RowSide[],
  origin: DumpOrigin,
  rows: AsyncIterable<TableRow>,
  options: LoadSidesOptions = {},
): Promise<LoadedRecords> {
  refuseNewer(origin);
  if (side === undefined) return { added: {}, updated: {}, present: {}, leftOut: {}, renumbered: [] };
  const later: TableRow[] = [];
  const own = await loadSide(side, origin, ofSide(checkedRows(rows), side, later), options);
  if (others.length === 0) return own;
  return joined(own, await loadRecords(others, origin, asAsync(later), options));
}

async function loadSide(
  side: RowSide,
  { highest }: DumpOrigin,
  rows: AsyncIterable<TableRow>,
  { dryRun = false, onRows, onLoaded, onProgress = () => undefined }: LoadSidesOptions,
): Promise<LoadedRecords> {
  const loadInto = (loading: LoadOptions["loading"]): Promise<Load> =>
    loadRows(rows, {
      side,
      loading,
      highest,
      prepare: makePrepareRow(),
      ...(onRows !== undefined && { onRows }),
      onProgress: (done) => onProgress({ what: "records", done }),
    });
  const loadAndIndex = async (loading: RowLoading): Promise<Load> => {
    const load = await loadInto(loading);
    await indexLoaded(loading.index, load, (done) => onProgress({ what: "index", done }));
    return load;
  };
  const load = dryRun
    ? await side.atOneMoment((sql) => loadInto({ read: sql }))
    : await side.load(loadAndIndex);
  onLoaded?.(load);
  return told(load);
}

/** Rows of other databases come last, and are few. */
async function* ofSide(
  rows: AsyncIterable<TableRow>,
  { tables }: RowSide,
  later: TableRow[],
): AsyncGenerator<TableRow> {
  for await (const row of rows) {
    if (tables.includes(row.table)) yield row;
    else later.push(row);
  }
}

async function* asAsync(rows: readonly TableRow[]): AsyncGenerator<TableRow> {
  yield* rows;
}

function refuseNewer({ schema }: DumpOrigin): void {
  if (schema <= schemaVersion) return;
  throw new RalphError(
    "store-too-new",
    `The records were written by a newer Ralph (schema ${schema}; this version supports up to ${schemaVersion})`,
    { hint: 'update with "npm install -g ralph-memory"' },
  );
}

function told({ tables, renamed }: Load): LoadedRecords {
  const counts = (name: "added" | "updated" | "present" | "leftOut"): TableCounts =>
    Object.fromEntries(
      Object.entries(tables).flatMap(([table, load]) => (load[name] === 0 ? [] : [[table, load[name]]])),
    );
  return {
    added: counts("added"),
    updated: counts("updated"),
    present: counts("present"),
    leftOut: counts("leftOut"),
    renumbered: [...renamed].map(([from, to]) => ({ from, to })),
  };
}

function joined(one: LoadedRecords, other: LoadedRecords): LoadedRecords {
  return {
    added: { ...one.added, ...other.added },
    updated: { ...one.updated, ...other.updated },
    present: { ...one.present, ...other.present },
    leftOut: { ...one.leftOut, ...other.leftOut },
    renumbered: [...one.renumbered, ...other.renumbered],
  };
}

export function totalOf(counts: TableCounts, tables?: readonly CanonicalTable[]): number {
  return Object.entries(counts)
    .filter(([table]) => tables === undefined || (tables as readonly string[]).includes(table))
    .reduce((sum, [, count]) => sum + count, 0);
}

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
