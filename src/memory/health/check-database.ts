import { RalphError } from "../../domain/ralph-error.js";
import { hasStore, repairStore } from "../../store/open-store.js";
import type { Damage } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { rebuildIndex } from "../derived/rebuild-index.js";
import type { Place } from "../places/place.js";
import type { ProjectSession } from "../project-session.js";
import { type Finding, ok } from "./finding.js";

/** Rebuilds a damaged index at once; repairs records only with `repair`. */
export async function checkDatabase(
  session: ProjectSession,
  place: Place,
  repair: boolean,
): Promise<Finding[]> {
  if (!hasStore(place.storeDirectory)) return [ok("none yet; created with the first note")];
  const damage = await findDamage(session, place);
  if (damage.length === 0) return [ok(await describe(session, place))];
  if (damage.every(({ isDerived }) => isDerived)) {
    const { notes } = await rebuildIndex(await session.shelves.open(place));
    const left = await findDamage(session, place);
    if (left.length === 0)
      return [{ status: "repaired", detail: `a damaged index was rebuilt with ${counted(notes, "note")}` }];
  }
  if (!repair) return [{ status: "failed", detail: `${damage[0]?.message} (run "ralph doctor --repair")` }];
  await session.shelves.closeStores("close");
  const { restoredFrom, salvagedRows, keptAs } = await repairStore(place.storeDirectory, session.clock());
  const source =
    restoredFrom === undefined ? "recreated, there was no good backup" : `restored from ${restoredFrom}`;
  const detail = `${source}; ${counted(salvagedRows, "row")} salvaged; the damaged file is kept as ${keptAs}`;
  return [{ status: "repaired", detail }];
}

async function findDamage(session: ProjectSession, place: Place): Promise<Damage[]> {
  try {
    const { store } = await session.shelves.open(place);
    return await store.findDamage();
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "store-damaged") throw error;
    return [{ message: error.message, isDerived: false }];
  }
}

async function describe(session: ProjectSession, place: Place): Promise<string> {
  const { store } = await session.shelves.open(place);
  const { engine, schemaVersion, backups } = await store.describe();
  return `${engine}, schema ${schemaVersion}, ${counted(backups.length, "backup")}`;
}
