import { messageOf, RalphError } from "../../domain/ralph-error.js";
import { hasStore, type Repair, repairStore } from "../../store/open-store.js";
import type { Damage } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { rebuildIndex } from "../derived/rebuild-index.js";
import type { OpenProject } from "../project/open-project.js";
import type { Place } from "../project/place.js";
import { type Finding, ok } from "./finding.js";

/** Rebuilds a damaged index at once; repairs records only with `repair`. */
export async function checkDatabase(project: OpenProject, place: Place, repair: boolean): Promise<Finding[]> {
  const { storeDirectory } = place;
  if (!hasStore(storeDirectory)) return [ok("none yet; created with the first note")];
  const damage = await findDamage(project, place);
  if (damage.length === 0) return [ok(await describe(project, place))];
  if (damage.every(({ isDerived }) => isDerived)) {
    const notes = await rebuildDamagedIndex(project, place);
    if (notes !== undefined)
      return [{ status: "repaired", detail: `a damaged index was rebuilt with ${counted(notes, "note")}` }];
  }
  if (repair) {
    await project.closeStores();
    return describeRepair(await repairStore(storeDirectory));
  }
  return [
    ...damage
      .slice(0, mostShown)
      .map(({ message }): Finding => ({ status: "failed", detail: `${message} ${advice}` })),
    ...(damage.length > mostShown
      ? [{ status: "failed" as const, detail: `and ${damage.length - mostShown} more` }]
      : []),
  ];
}

/** The number of notes; undefined if the tables are too damaged to be emptied. */
async function rebuildDamagedIndex(project: OpenProject, place: Place): Promise<number | undefined> {
  try {
    const { notes } = await rebuildIndex(await project.openStore(place));
    return (await findDamage(project, place)).length === 0 ? notes : undefined;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof RalphError && (error.code === "store-damaged" || error.code === "index-damaged");
}

const mostShown = 5;
const advice = '(run "ralph doctor --repair")';

async function findDamage(project: OpenProject, place: Place): Promise<Damage[]> {
  try {
    const { store } = await project.openStore(place);
    return await store.onThisMachine().findDamage();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [{ message: messageOf(error), isDerived: false }];
  }
}

async function describe(project: OpenProject, place: Place): Promise<string> {
  const { store } = await project.openStore(place);
  const { engine, schemaVersion, backups } = await store.onThisMachine().describe();
  return `${engine}, schema ${schemaVersion}, ${counted(backups.length, "backup")}`;
}

/** What a repair restored, and what may be lost. */
function describeRepair({ read, fromBackup, backup, incomplete, keptAs }: Repair): Finding[] {
  const kept = keptAs === undefined ? "" : `; the damaged file is kept as ${keptAs}`;
  const rows = (count: number) => (count === 0 ? "nothing" : counted(count, "row"));
  const findings: Finding[] = [
    { status: "repaired", detail: `${rows(read)} read from the damaged database${kept}` },
  ];
  if (fromBackup > 0)
    findings.push({
      status: "repaired",
      detail: `${rows(fromBackup)} taken from the backup of ${backup?.date}`,
    });
  if (incomplete.length === 0) return findings;
  const what = incomplete.length > mostShown ? "most tables" : incomplete.join(", ");
  const since = backup === undefined ? "; there is no good backup" : ` after the backup of ${backup.date}`;
  const detail = `${what} could not be read in full: what was recorded there${since} may be lost`;
  // Debian builds its sqlite3 without what this needs.
  const recover = keptAs && ` ("sqlite3 ${keptAs} .recover", with a sqlite3 from sqlite.org, may find more)`;
  return [...findings, { status: "warning", detail: `${detail}${recover ?? ""}` }];
}
