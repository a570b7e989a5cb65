import type { Runner } from "../../domain/tasks/attempt.js";
import { instructionIn } from "../../semantic/staging/validate-learning.js";
import type { Load, LoadOptions } from "../../store/dump/load-rows.js";
import type { Row } from "../../store/dump/table-shapes.js";
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

interface ImportedTexts {
  onRows: NonNullable<LoadOptions["onRows"]>;
  onLoaded(load: Pick<Load, "changedTasks" | "changedLearnings">): void;
  /** Forgets those that were here already, and says how many came in. */
  settle(): Promise<number>;
}

/**
 * Remembers which learnings and tasks of a dump read like an instruction to an agent, by id or UUID. The store gets them as they
 * are, so that it is the same as the one they come from; but they are shown to agents only once the user has allowed it. They are
 * noted before their rows are loaded, so that no kill leaves one that passes for the user's own.
 */
export function noteImportedTexts(
  { trust, home }: OpenProject,
  store: Pick<Store, "tasks">,
  { dryRun = false }: { dryRun?: boolean },
): ImportedTexts {
  const uuids = new Map<unknown, string>();
  const found = new Set<string>();
  const fresh = new Set<string>();
  const [tasks, learnings] = [new Set<number>(), new Set<string>()];
  return {
    onRows(table, rows) {
      if (table === "tasks") for (const { number, uuid } of rows) uuids.set(number, String(uuid));
      const keys = rows.flatMap((row) => {
        const key = keyOf(table, row, uuids);
        return key === undefined || found.has(key) || instructionIn(valuesOf(row)) === undefined ? [] : [key];
      });
      for (const key of keys) found.add(key);
      if (dryRun || keys.length === 0) return;
      const remembered = trust.importedTexts();
      for (const key of keys) if (!remembered.has(key)) fresh.add(key);
      updateTrust(trust.file, home, { importedTexts: [...remembered, ...keys] });
    },
    onLoaded({ changedTasks, changedLearnings }) {
      for (const number of changedTasks) tasks.add(number);
      for (const id of changedLearnings) learnings.add(id);
    },
    async settle() {
      const known: string[] = [];
      for (const key of found) {
        const task = key.startsWith("learn-") ? undefined : await store.tasks.findByUuid(key);
        const isChanged = key.startsWith("learn-")
          ? learnings.has(key)
          : task === undefined || tasks.has(task.number);
        if (!isChanged) known.push(key);
      }
      const own = new Set(known.filter((key) => fresh.has(key)));
      const importedTexts = [...trust.importedTexts()].filter((key) => !own.has(key));
      if (own.size > 0) updateTrust(trust.file, home, { importedTexts });
      return found.size - known.length;
    },
  };
}

/** Of the record that the row is a part of; undefined for what is in no brief. */
function keyOf(table: string, row: Row, uuids: ReadonlyMap<unknown, string>): string | undefined {
  if (table === "learnings") return String(row.id);
  if (table === "tasks") return String(row.uuid);
  return table === "attempts" || table === "reflections" ? uuids.get(row.task_number) : undefined;
}

/** Lists and records are kept as JSON, in which a line end is not one. */
function valuesOf(row: Row): unknown[] {
  return Object.values(row).map((value) => {
    if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  });
}
