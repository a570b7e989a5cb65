import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import type { ForeignFile, ForeignKind } from "./foreign-record.js";
import type { ImportReport } from "./import-report.js";

export interface TakeOptions {
  /** The layout that the files are in; ids of records are looked for among those of the same one. */
  layout: string;
  dryRun?: boolean | undefined;
  /** Called with the number of records so far. */
  onProgress?: ((done: number) => void) | undefined;
}

/** `memory.imports`: records of other tools, and how they were written there. */
export interface ImportVerbs {
  /** Throws at the first record that cannot be taken; says how many there are of each kind. Changes nothing. */
  check(files: Files): Promise<Partial<Record<ForeignKind, number>>>;
  /**
   * Takes records in, in one transaction for each file, or for some small ones. Taking them again changes nothing; what was
   * deleted here does not come back; what reads like an instruction to an agent waits for a review.
   */
  take(files: Files, options: TakeOptions): Promise<ImportReport>;
  /** What came from a layout, in the order of its files, with the records that it became. */
  originals(layout: string): Promise<ForeignRow[]>;
}

export type Files = AsyncIterable<ForeignFile> | Iterable<ForeignFile>;
