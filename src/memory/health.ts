import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LoadedSettings } from "../config/load-settings.js";
import { type Clock, isoDate } from "../domain/clock.js";
import { RalphError } from "../domain/ralph-error.js";
import type { Project } from "../files/find-project.js";
import { makePrivateDirectory } from "../files/private-directory.js";
import { readFileSnapshot } from "../files/read-file.js";
import { type NotesDocument, parseNotes } from "../notes/parse.js";
import { sqlitePath } from "../store/sqlite/open-sqlite-store.js";
import { repairSqliteStore } from "../store/sqlite/repair-sqlite-store.js";
import { checkGit } from "./check-git.js";
import type { NotesFile, Place } from "./place.js";
import { rebuildIndex } from "./rebuild-index.js";
import { indexDocument } from "./reindex-file.js";
import { filesOf, type Shelf } from "./shelf.js";
import { syncFile } from "./sync-notes.js";

export interface HealthCheck {
  part: string;
  status: "ok" | "repaired" | "warning" | "failed";
  detail: string;
}

export interface Health {
  isHealthy: boolean;
  checks: HealthCheck[];
}

/** What the examination needs of an open memory. */
export interface Patient {
  project: Project;
  ralphHome: string;
  owner: "project" | "user";
  clock: Clock;
  settings(): Promise<LoadedSettings>;
  place(): Promise<Place>;
  shelfAt(place: Place): Promise<Shelf>;
  closeStores(): Promise<void>;
}

/** Examines part after part; one that fails does not keep the others from being looked at. */
export async function checkHealth(patient: Patient, { repair }: { repair: boolean }): Promise<Health> {
  const checks: HealthCheck[] = [];
  const examine = async (
    part: string,
    look: () => Promise<Omit<HealthCheck, "part">[]>,
  ): Promise<boolean> => {
    try {
      const found = await look();
      checks.push(...found.map((check) => ({ part, ...check })));
      return found.every((check) => check.status !== "failed");
    } catch (error) {
      checks.push({ part, status: "failed", detail: describe(error) });
      return false;
    }
  };
  await examine("project", async () => [ok(`${patient.project.home} (${patient.project.kind})`)]);
  const hasSettings = await examine("settings", () => checkSettings(patient));
  if (hasSettings) {
    const place = await patient.place();
    const isDatabaseGood = await examine("database", () => checkDatabase(patient, place, repair));
    await examine("notes", async () => filesOf(place).flatMap((file) => checkNotesFile(patient, file)));
    if (isDatabaseGood) await examine("index", () => checkIndex(patient, place));
    await examine("permissions", async () => checkPermissions(place));
    if (patient.owner === "project") await examine("git", () => checkGit(patient.project, place));
  }
  return { isHealthy: checks.every((check) => check.status !== "failed"), checks };
}

function ok(detail: string): Omit<HealthCheck, "part"> {
  return { status: "ok", detail };
}

function describe(error: unknown): string {
  if (error instanceof RalphError)
    return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
  return error instanceof Error ? error.message : String(error);
}

async function checkSettings(patient: Patient): Promise<Omit<HealthCheck, "part">[]> {
  const { origins, otherBlocks } = await patient.settings();
  const sources = [...new Set(Object.values(origins))].filter((origin) => origin !== "default");
  return [
    ok(sources.length === 0 ? "all defaults" : `from ${sources.join(", ")}`),
    ...otherBlocks.map(({ path, block }) =>
      ok(`${path}: the block "${block}" is not Ralph's and is ignored`),
    ),
  ];
}

async function checkDatabase(
  patient: Patient,
  place: Place,
  repair: boolean,
): Promise<Omit<HealthCheck, "part">[]> {
  const path = sqlitePath(place.storeDirectory);
  if (!existsSync(path)) return [ok("not made yet; the first note makes it")];
  const damage = await findDamage(patient, place);
  if (damage === undefined) {
    const { engine, schemaVersion, backups } = await (await patient.shelfAt(place)).store.describe();
    return [ok(`${engine}, schema ${schemaVersion}, ${backups.length} backups`)];
  }
  if (!repair) return [{ status: "failed", detail: `${damage} (run "ralph doctor --repair")` }];
  await patient.closeStores();
  const { restoredFrom, salvagedRows, keptAs } = await repairSqliteStore(
    place.storeDirectory,
    patient.clock(),
  );
  const source =
    restoredFrom === undefined ? "made anew, no good backup was there" : `restored from ${restoredFrom}`;
  const detail = `${source}; ${salvagedRows} rows salvaged; the damaged file is kept as ${keptAs}`;
  return [{ status: "repaired", detail }];
}

async function findDamage(patient: Patient, place: Place): Promise<string | undefined> {
  try {
    const { store } = await patient.shelfAt(place);
    const [first] = await store.findDamage();
    return first;
  } catch (error) {
    if (error instanceof RalphError && error.code === "store-damaged") return error.message;
    throw error;
  }
}

function checkNotesFile(patient: Patient, file: NotesFile): Omit<HealthCheck, "part">[] {
  const document = readDocument(patient, file);
  if (document === undefined) return [ok(`${file.path}: not made yet`)];
  return [
    ok(`${file.path}: ${document.blocks.length} notes`),
    ...document.problems.map(({ line, message }): Omit<HealthCheck, "part"> => {
      return { status: "warning", detail: `${file.path}, line ${line}: ${message}` };
    }),
  ];
}

function readDocument(patient: Patient, file: NotesFile): NotesDocument | undefined {
  const { bytes } = readFileSnapshot(file.path);
  return bytes && parseNotes(bytes, { path: file.path, today: isoDate(patient.clock()) });
}

async function checkIndex(patient: Patient, place: Place): Promise<Omit<HealthCheck, "part">[]> {
  if (!existsSync(sqlitePath(place.storeDirectory))) return [ok("nothing to index yet")];
  const shelf = await patient.shelfAt(place);
  try {
    await shelf.store.transaction((tx) => tx.lexical.verify());
    const changed = await shelf.store.transaction(async (tx) => {
      let count = 0;
      for (const file of filesOf(place)) {
        const { fileId } = await syncFile(tx, shelf, file);
        const document = readDocument(patient, file);
        if (document !== undefined) count += await indexDocument(tx, shelf, fileId, document);
      }
      return count;
    });
    if (changed === 0) return [ok("up to date")];
    return [
      { status: "repaired", detail: `${changed} notes were not as in the file and were indexed again` },
    ];
  } catch (error) {
    if (error instanceof RalphError && error.code === "merge-conflict") throw error;
    const { notes } = await rebuildIndex(shelf);
    return [{ status: "repaired", detail: `rebuilt with ${notes} notes (${describe(error)})` }];
  }
}

function checkPermissions({ storeDirectory }: Place): Omit<HealthCheck, "part">[] {
  if (!existsSync(storeDirectory)) return [ok("nothing to protect yet")];
  const checks: Omit<HealthCheck, "part">[] = [];
  if (!existsSync(join(storeDirectory, ".gitignore"))) {
    makePrivateDirectory(storeDirectory);
    checks.push({ status: "repaired", detail: `${storeDirectory}: git ignores it again` });
  }
  const path = sqlitePath(storeDirectory);
  if (process.platform !== "win32" && existsSync(path) && (statSync(path).mode & 0o077) !== 0) {
    chmodSync(path, 0o600);
    checks.push({ status: "repaired", detail: `${path}: readable by you alone again` });
  }
  return checks.length === 0 ? [ok("only you can read the records")] : checks;
}
