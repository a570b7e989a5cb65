import { randomUUID } from "node:crypto";
import { existsSync, renameSync } from "node:fs";
import { stampFile } from "../../file-stamp.js";
import { readFileSnapshot } from "../../read-file.js";
import { waitForWriter } from "../../wait-for-writer.js";
import { writeNew } from "../file-steps.js";
import {
  findStats,
  isOpen,
  type KeptEntry,
  pathsIn,
  printOfStamp,
  removeEntry,
  removeFile,
  type SharedFile,
  writerOf,
} from "../kept-entries.js";
import { putBack, type ReplacedFile, replaceShared } from "../replace-shared.js";
import type { MergeSave } from "../settle-shared.js";
import { findBase } from "./find-base.js";

const gapMs = 200;
const restMs = 3000;

export interface LateEntries {
  target: string;
  entries: readonly KeptEntry[];
  /** Those whose kept file somebody wrote to. */
  late: readonly KeptEntry[];
}

/** Closes what a killed writer left open, and merges what people wrote to files that had been replaced. */
export async function mergeLate(
  file: SharedFile,
  { target, entries, late: written }: LateEntries,
  merge: MergeSave,
): Promise<ReplacedFile | undefined | "changed-meanwhile"> {
  for (const entry of entries.filter(isOpen)) await closeGap(entry, target);
  const met = entries.filter(isOpen);
  const late = written.filter(({ kept }) => kept !== undefined);
  if (met.length === 0 && late.length === 0) return undefined;
  await waitForWriter(target);
  for (const { kept } of late) await waitForWriter(kept ?? "");
  const current = readFileSnapshot(file.path);
  const looked: [KeptEntry, Buffer, string][] = [];
  let merged = current.bytes ?? Buffer.alloc(0);
  for (const entry of met) {
    const before = findBase(entries, entry);
    if (before !== undefined && startsAnew(merged, before)) merged = await merge(undefined, merged, before);
  }
  for (const entry of late) {
    const { bytes: theirs, stamp } = readFileSnapshot(entry.kept ?? "");
    // Emptied to be filled again: there is nothing of theirs in it yet.
    if (theirs === undefined || theirs.length === 0) continue;
    merged = await merge(findBase(entries, entry), theirs, merged);
    looked.push([entry, theirs, printOfStamp(stamp)]);
  }
  if (merged.equals(current.bytes ?? Buffer.alloc(0))) {
    if (stampFile(file.path) !== current.stamp) return "changed-meanwhile";
    for (const { fresh = "" } of met) if (hasRested(fresh)) removeFile(fresh);
    for (const [entry, theirs, print] of looked)
      if (hasRested(entry.kept ?? "")) lookedAt(entry, theirs, print);
    return undefined;
  }
  const result = await replaceShared(file, [merged], current);
  return result.kind === "written" ? result : result.kind;
}

/**
 * Until then a merge is looked at again by the next command: an editor that read the file before it and saves behind it
 * would undo it.
 */
function hasRested(path: string): boolean {
  const stats = findStats(path);
  return stats === undefined || Math.abs(Date.now() - Number(stats.mtimeMs)) > restMs;
}

/** The name is free, or was taken by somebody else, between the two steps of a writer. */
async function closeGap(entry: KeptEntry, target: string): Promise<void> {
  const { fresh = "", kept = "" } = entry;
  for (let waited = 0; waited < gapMs && isOther(writerOf(entry)) && existsSync(fresh); waited += 10)
    await new Promise((done) => setTimeout(done, 10));
  const ours = findStats(fresh);
  const current = findStats(target);
  if (ours === undefined || ours.ino === current?.ino) {
    removeFile(fresh);
    entry.fresh = undefined;
  } else if (current === undefined && putBack(kept, target)) {
    removeEntry(entry);
    Object.assign(entry, { fresh: undefined, kept: undefined });
  }
}

function isOther(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** From now on only what is written after this is news; in this order, because a merge can be done twice. */
function lookedAt({ folder, token, kept = "" }: KeptEntry, theirs: Buffer, print: string): void {
  const path = pathsIn(folder, token);
  // A name that nobody can know: a repository could bring a link under any other, which leads elsewhere.
  const draft = path(`${randomUUID()}.draft`);
  writeNew(draft, theirs);
  try {
    renameSync(draft, path("seen"));
  } catch {
    // A folder has that name, which is not ours: it is looked at again each time, and found in place.
    removeFile(draft);
    return;
  }
  renameSync(kept, path(`${print}.kept`));
}

/** Whether a file that took the free name has nothing of the one before: somebody meant to append to that. */
function startsAnew(bytes: Buffer, before: Buffer): boolean {
  const linesOf = (each: Buffer) => each.toString("latin1").split(/[\r\n]+/);
  const said = linesOf(before).filter((line) => /^\s*[^\s#<]/.test(line));
  const lines = new Set(linesOf(bytes));
  return said.length > 0 && !said.some((line) => lines.has(line));
}
