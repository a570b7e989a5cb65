import { RalphError } from "../../domain/ralph-error.js";
import { countRows } from "../../store/dump/read-rows.js";
import type { RowSide } from "../../store/dump/row-side.js";
import { sharedTables } from "../../store/dump/table-shapes.js";
import type { Store } from "../../store/store.js";
import type { OpenProject } from "../project/open-project.js";
import { loadRecords, totalOf } from "./load-records.js";
import type { LoadedRecords, LoadProgress, RecordDump } from "./record-verbs.js";
import { dumpRecords, projectKey } from "./record-verbs.js";

export interface MigrateOptions {
  /** Called before the first row is read. */
  onStart?(rows: number): void;
  onProgress?(progress: LoadProgress): void;
}

export interface Migrated extends LoadedRecords {
  /** How many rows the old store has. */
  rows: number;
  /** Whether the new store has the same rows and no others, or has them among others. */
  check: "identical" | "contained";
}

/** Copies all records of a project from one store to another, which may have some of them, and compares the two. */
export async function migrateRecords(
  from: OpenProject,
  to: OpenProject,
  { onStart = () => undefined, onProgress = () => undefined }: MigrateOptions = {},
): Promise<Migrated> {
  const project = await projectKey(from);
  return from.read(
    async ({ store: old }) =>
      to.write(async ({ store: fresh }) => {
        await refuseSame(old, fresh);
        const [source, target] = [await recordSide(old), await recordSide(fresh)];
        return dumpRecords([source], project, async (dump) => {
          const rows = totalOf(dump.counts);
          onStart(rows);
          const loaded = await loadRecords([target], dump, dump.rows(), { onProgress });
          return { ...loaded, rows, check: await compare(target, dump) };
        });
      }),
    () => {
      throw new RalphError("not-found", `There is no memory to migrate in ${from.home}`, {
        hint: "name the folder of a project that has one",
      });
    },
  );
}

/** Notes, and what is known about their files, stay where they are. */
async function recordSide(store: Store): Promise<RowSide> {
  const side = (await store.rowSides()).find(({ tables }) => tables.includes("tasks"));
  if (side === undefined) throw new TypeError("A store without records");
  return { ...side, tables: side.tables.filter((table) => sharedTables.includes(table)) };
}

async function refuseSame(old: Store, fresh: Store): Promise<void> {
  const [one, other] = [await old.describe(), await fresh.describe()];
  if (one.location !== other.location) return;
  throw new RalphError("wrong-use", `Both stores are ${one.location}`, {
    hint: 'name two different ones, such as "." and postgres://user@host/database',
  });
}

/** Each row must be among those of the new store; loading them once more would add or replace nothing. */
async function compare(target: RowSide, dump: RecordDump): Promise<Migrated["check"]> {
  const { added, updated } = await loadRecords([target], dump, dump.rows(), { dryRun: true });
  if (totalOf(added) + totalOf(updated) > 0) {
    const missing = Object.entries({ ...updated, ...added }).map(([table, count]) => `${count} ${table}`);
    throw new RalphError("store-damaged", `The new store lacks ${missing.join(", ")} after the migration`, {
      hint: "run the command again: it adds what is missing",
    });
  }
  const counts = await target.atOneMoment((sql) => countRows(sql, target.dialect, target.tables));
  const isSame = sharedTables.every((table) => (counts[table] ?? 0) === (dump.counts[table] ?? 0));
  return isSame ? "identical" : "contained";
}
