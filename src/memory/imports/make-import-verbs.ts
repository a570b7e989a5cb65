import type { OpenProject } from "../project/open-project.js";
import type { StoreContext } from "../project/place.js";
import { checkRecord } from "./check-record.js";
import type { ForeignFile, ForeignKind } from "./foreign-record.js";
import { emptyReport, type ImportReport } from "./import-report.js";
import type { ImportVerbs } from "./import-verbs.js";
import { takeFiles } from "./take-files.js";

export function makeImportVerbs(session: OpenProject): ImportVerbs {
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
      const isReviewed = (await session.settings())["learnings.promotion"] === "review";
      const now = session.clock();
      const work = async (shelf: StoreContext): Promise<ImportReport> => {
        const report = emptyReport();
        const notesFile = shelf.place.home.name;
        const about = { session, layout, now, dryRun, isReviewed, report, notesFile, exported: new Map() };
        await takeFiles(shelf, files, about, onProgress);
        return report;
      };
      return dryRun ? session.change(work) : session.write(work);
    },
    originals: (layout) =>
      session.read(
        ({ store }) => store.foreignRecords.list(layout),
        () => [],
      ),
  };
}
