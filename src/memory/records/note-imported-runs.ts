import type { Runner } from "../../domain/tasks/attempt.js";
import type { LoadOptions } from "../../store/dump/load-rows.js";
import type { Store } from "../../store/store.js";
import { updateTrust } from "../../trust/trust-file.js";
import type { OpenProject } from "../project/open-project.js";
import { runDigest } from "../trust/trust-requests.js";

/**
 * Remembers which runs come with an import: to resume one starts programs that somebody else chose. They are noted before the rows
 * behind them are loaded, so that no kill leaves a run that passes for the user's own.
 */
export async function noteImportedRuns(
  { trust, home }: OpenProject,
  { runs }: Pick<Store, "runs">,
): Promise<{ onRows: NonNullable<LoadOptions["onRows"]>; flush(): void }> {
  const own = new Set((await runs.listLastOfTasks()).map(runDigest));
  let noted: string[] = [];
  const flush = () => {
    if (noted.length > 0) {
      const importedRuns = [...trust.importedRuns(), ...noted];
      updateTrust(trust.file, home, { importedRuns });
    }
    noted = [];
  };
  return {
    flush,
    onRows(table, rows) {
      if (table !== "runs") return flush();
      for (const { started, runner } of rows) {
        const digest = runDigest({ started: String(started), runner: JSON.parse(String(runner)) as Runner });
        if (!own.has(digest)) noted.push(digest);
      }
    },
  };
}
