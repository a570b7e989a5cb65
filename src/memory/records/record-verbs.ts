import type { HighestNumbers, TableCounts } from "../../store/dump/read-rows.js";
import type { TableRow } from "../../store/dump/table-shapes.js";

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
