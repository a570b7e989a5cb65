import { messageOf, RalphError } from "../../domain/ralph-error.js";
import { hasStore, listRescued, repairStore } from "../../store/open-store.js";
import type { Damage } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { rebuildIndex } from "../derived/rebuild-index.js";
import type { Place } from "../places/place.js";
import type { ProjectSession } from "../project-session.js";
import { describeRepair } from "./describe-repair.js";
import { type Finding, ok } from "./finding.js";

/** Rebuilds a damaged index at once; repairs records only with `repair`. */
export async function checkDatabase(
  session: ProjectSession,
  place: Place,
  repair: boolean,
): Promise<Finding[]> {
  const { storeDirectory } = place;
  if (!hasStore(storeDirectory)) return [ok("none yet; created with the first note")];
  const damage = await findDamage(session, place);
  const rescued = await listRescued(storeDirectory);
  const lacking =
    damage.length > 0
      ? undefined
      : await (await session.shelves.open(place)).store.onThisMachine().findLacking();
  if (damage.length === 0 && rescued.length === 0 && lacking === undefined)
    return [ok(await describe(session, place))];
  if (damage.length > 0 && damage.every(({ isDerived }) => isDerived)) {
    const notes = await rebuildDamagedIndex(session, place);
    if (notes !== undefined)
      return [{ status: "repaired", detail: `a damaged index was rebuilt with ${counted(notes, "note")}` }];
  }
  if (repair) {
    await session.shelves.closeStores("close");
    return describeRepair(await repairStore(storeDirectory), { isDamaged: damage.length > 0 });
  }
  return [
    ...damage
      .slice(0, mostShown)
      .map(({ message }): Finding => ({ status: "failed", detail: `${message} ${advice}` })),
    ...(damage.length > mostShown
      ? [{ status: "failed" as const, detail: `and ${damage.length - mostShown} more` }]
      : []),
    ...rescued.map(
      (file): Finding => ({ status: "warning", detail: `${file} holds records of a run ${advice}` }),
    ),
    ...(lacking === undefined ? [] : [lackingFinding(lacking)]),
  ];
}

/** The number of notes; undefined if the tables are too damaged to be emptied. */
async function rebuildDamagedIndex(session: ProjectSession, place: Place): Promise<number | undefined> {
  try {
    const { notes } = await rebuildIndex(await session.shelves.open(place));
    return (await findDamage(session, place)).length === 0 ? notes : undefined;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof RalphError && (error.code === "store-damaged" || error.code === "index-damaged");
}

function lackingFinding({ count, date }: { count: number; date: string }): Finding {
  const detail = `the backup of ${date} holds ${counted(count, "record")} that the database lacks; was it replaced? ${advice}`;
  return { status: "warning", detail };
}

const mostShown = 5;
const advice = '(run "ralph doctor --repair")';

async function findDamage(session: ProjectSession, place: Place): Promise<Damage[]> {
  try {
    const { store } = await session.shelves.open(place);
    return await store.onThisMachine().findDamage();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [{ message: messageOf(error), isDerived: false }];
  }
}

async function describe(session: ProjectSession, place: Place): Promise<string> {
  const { store } = await session.shelves.open(place);
  const { engine, schemaVersion, backups } = await store.onThisMachine().describe();
  return `${engine}, schema ${schemaVersion}, ${counted(backups.length, "backup")}`;
}
