import { checkedRows } from "../../store/dump/check-rows.js";
import {
  countRows,
  type HighestNumbers,
  highestNumbers,
  readRows,
  type TableCounts,
} from "../../store/dump/read-rows.js";
import type { RowSide } from "../../store/dump/row-side.js";
import type { TableRow } from "../../store/dump/table-shapes.js";
import { schemaVersion } from "../../store/schema-version.js";
import type { Sql } from "../../store/sql.js";
import type { OpenProject } from "../project/open-project.js";
import { loadRecords } from "./load-records.js";

/** Where the rows of a dump come from. */
export interface DumpOrigin {
  /** The version of the tables. */
  schema: number;
  /** The project whose records they are. */
  project: string;
  /** The highest numbers of tasks and handoffs. */
  highest: HighestNumbers;
}

/** All records of a memory but for its notes, row by row, as they were at one moment. */
export interface RecordDump extends DumpOrigin {
  counts: TableCounts;
  /** To be read while the dump is open. */
  rows(): AsyncIterable<TableRow>;
}

export interface LoadRecordsOptions {
  dryRun?: boolean;
  onProgress?: (progress: LoadProgress) => void;
}

export interface LoadProgress {
  what: "records" | "index";
  done: number;
}

export interface LoadedRecords {
  added: TableCounts;
  /** Of which a later version came in. */
  updated: TableCounts;
  /** That were here already. */
  present: TableCounts;
  /** That this store has or had something else in place of. */
  leftOut: TableCounts;
  /** Tasks whose number was taken. */
  renumbered: { from: string; to: string }[];
  /** How many records read like an instruction, and are shown to agents only once the user has allowed it. */
  waiting?: number;
}

/** All records as rows: for a backup, and for moving them to another store. */
export interface RecordVerbs {
  /** Opens a dump while `work` runs. Changes meanwhile are not in it. */
  dump<Result>(work: (dump: RecordDump) => Promise<Result>): Promise<Result>;
  /** Throws at the first row that no store could hold; returns how many there are. */
  check(rows: AsyncIterable<TableRow>): Promise<number>;
  /** Adds what is missing here. Of what is here the later version stays, and what was deleted here stays away. */
  load(
    origin: DumpOrigin,
    rows: AsyncIterable<TableRow>,
    options?: LoadRecordsOptions,
  ): Promise<LoadedRecords>;
}

interface OpenSide {
  side: RowSide;
  sql: Sql;
}

/** Opens a dump of the databases of a store while `work` runs. */
export function dumpRecords<Result>(
  sides: readonly RowSide[],
  project: string,
  work: (dump: RecordDump) => Promise<Result>,
): Promise<Result> {
  return openAll(sides, [], async (opened) => {
    let counts: TableCounts = {};
    const highest = { tasks: 0, handoffs: 0 };
    for (const { side, sql } of opened) {
      counts = { ...counts, ...(await countRows(sql, side.dialect, side.tables)) };
      const { tasks, handoffs } = await highestNumbers(sql, side.dialect, side.tables);
      highest.tasks = Math.max(highest.tasks, tasks);
      highest.handoffs = Math.max(highest.handoffs, handoffs);
    }
    return work({ schema: schemaVersion, project, highest, counts, rows: () => rowsOf(opened) });
  });
}

function openAll<Result>(
  [side, ...others]: readonly RowSide[],
  opened: OpenSide[],
  work: (opened: OpenSide[]) => Promise<Result>,
): Promise<Result> {
  if (side === undefined) return work(opened);
  return side.atOneMoment((sql) => openAll(others, [...opened, { side, sql }], work));
}

async function* rowsOf(opened: readonly OpenSide[]) {
  for (const { side, sql } of opened) yield* readRows(sql, side.dialect, side.tables);
}

export function makeRecordVerbs(session: OpenProject): RecordVerbs {
  return {
    dump: (work) =>
      session.readOrEmpty(async ({ store }) => {
        return dumpRecords(await store.rowSides(), await projectKey(session), work);
      }),
    async check(rows) {
      let count = 0;
      for await (const _row of checkedRows(rows)) count += 1;
      return count;
    },
    async load(origin, rows, options = {}) {
      const { noteImportedTexts } = await import("./imported-marks.js");
      if (options.dryRun)
        return session.readOrEmpty(async ({ store }) => {
          const { settle, ...noting } = noteImportedTexts(session, store, options);
          const loaded = await loadRecords(await store.rowSides(), origin, rows, { ...options, ...noting });
          return { ...loaded, waiting: await settle() };
        });
      return session.write(async ({ store }) => {
        const { noteImportedRuns } = await import("./imported-marks.js");
        const runs = await noteImportedRuns(session, store);
        const { settle, onLoaded, ...texts } = noteImportedTexts(session, store, options);
        const onRows: typeof texts.onRows = (table, some) => {
          runs.onRows(table, some);
          texts.onRows(table, some);
        };
        const loaded = await loadRecords(await store.rowSides(), origin, rows, {
          ...options,
          onRows,
          onLoaded,
        });
        runs.flush();
        return { ...loaded, waiting: await settle() };
      });
    },
  };
}

export async function projectKey(session: OpenProject): Promise<string> {
  if (session.owner === "user") return "user";
  const { projectKeyOf } = await import("../team/open-team-side.js");
  return projectKeyOf(await session.settings(), session);
}
