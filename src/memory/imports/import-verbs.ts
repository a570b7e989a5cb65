import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import type { OpenProject } from "../project/open-project.js";
import type { StoreContext } from "../project/place.js";
import { checkRecord } from "./check-record.js";
import type { ForeignFile, ForeignKind } from "./foreign-record.js";
import { importFiles } from "./import-files.js";
import { emptyReport, type ImportReport } from "./import-report.js";

export interface TakeOptions {
  /** The layout of the files; ids of records are looked up within it. */
  layout: string;
  dryRun?: boolean | undefined;
  /** Called with the number of records so far. */
  onProgress?: ((done: number) => void) | undefined;
}

/** `memory.imports`: records from other tools and their originals. */
export interface ImportVerbs {
  /** Throws at the first record that cannot be imported; returns the number of each kind. Changes nothing. */
  check(files: Files): Promise<Partial<Record<ForeignKind, number>>>;
  /**
   * Imports records, in one transaction for each file or for several small ones. Importing them again changes nothing and does not restore
   * what was deleted here. What reads like an instruction to an agent waits for a review.
   */
  take(files: Files, options: TakeOptions): Promise<ImportReport>;
  /** The originals imported from a layout, in the order of its files, with the resulting records. */
  originals(layout: string): Promise<ForeignRow[]>;
}

export type Files = AsyncIterable<ForeignFile> | Iterable<ForeignFile>;

export function makeImportVerbs(project: OpenProject): ImportVerbs {
  return {
    async check(files) {
      const counts: Partial<Record<ForeignKind, number>> = {};
      for await (const { file, records } of files as AsyncIterable<ForeignFile>)
        for (const record of records) {
          await checkRecord(record, file);
          counts[record.kind] = (counts[record.kind] ?? 0) + 1;
        }
      return counts;
    },
    async take(files, { layout, dryRun = false, onProgress = () => undefined }) {
      const isReviewed = (await project.settings())["learnings.promotion"] === "review";
      const now = project.clock();
      const work = async (context: StoreContext): Promise<ImportReport> => {
        const report = emptyReport();
        await importFiles(context, files, { project, layout, now, dryRun, isReviewed, report }, onProgress);
        return report;
      };
      return dryRun ? project.change(work) : project.write(work);
    },
    originals: (layout) =>
      project.read(
        ({ store }) => store.foreignRecords.list(layout),
        () => [],
      ),
  };
}
