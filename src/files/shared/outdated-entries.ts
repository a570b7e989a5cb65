import { stepsAmong } from "./edit-steps.js";
import { hasLateWrite, type KeptEntry, sizeOfPrint } from "./kept-entries.js";

/** So many stay whatever their age; beyond them, those of the last 20 seconds do. */
const maxKept = 16;
const minAgeMs = 20_000;
const maxKeptBytes = 32 * 1024 * 1024;
const leftoverAgeMs = 10 * 60_000;

/** What nobody can be writing to any more, what served only to tell the content of such files, and what killed writers left. */
function findOutdated(entries: readonly KeptEntry[]): KeptEntry[] {
  const ageOf = ({ token }: KeptEntry) => Math.abs(Date.now() - Number.parseInt(token, 36));
  let [count, bytes] = [0, 0];
  return entries.toReversed().filter((entry) => {
    if (entry.kept === undefined) return isOnlyStep(entry) || ageOf(entry) > leftoverAgeMs;
    if (entry.fresh !== undefined) return false;
    count += 1;
    bytes += sizeOfPrint(entry.print);
    const isMany = count > maxKept && ageOf(entry) > minAgeMs;
    return isMany || (bytes > maxKeptBytes && count > 1);
  });
}

/** Whoever is at work on an entry has made its new file, or no edit yet. */
function isOnlyStep({ fresh, edit }: KeptEntry): boolean {
  return fresh === undefined && edit !== undefined;
}

/** Late writes to the last entries, and to those that are about to be removed: in a burst of updates there may be many. */
export function findLate(entries: readonly KeptEntry[]): KeptEntry[] {
  const last = entries.filter(({ kept }) => kept !== undefined).slice(-maxKept);
  const looked = new Set([...findOutdated(entries), ...last]);
  return entries.filter((entry) => looked.has(entry) && hasLateWrite(entry));
}

/**
 * What can be removed when an entry is added. What somebody still writes to stays, and so do the copies and edits that tell
 * what another kept file contained, the new one's too.
 */
export function findRemovable(entries: readonly KeptEntry[], added: KeptEntry): KeptEntry[] {
  const outdated = new Set(findOutdated(entries).filter((entry) => !hasLateWrite(entry)));
  if (outdated.size === 0) return [];
  const staying = entries.filter((entry) => !outdated.has(entry) && entry.base === undefined);
  const stepsTo = stepsAmong(entries);
  const needed = new Set<KeptEntry>([added, ...staying].flatMap((entry) => stepsTo(entry) ?? []));
  return [...outdated].map((entry) =>
    needed.has(entry) ? { ...entry, base: undefined, edit: undefined } : entry,
  );
}
