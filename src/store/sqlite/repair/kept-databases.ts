import { lstatSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { namesIn } from "../../../files/names-in.js";

/**
 * Why a database was put aside: a run saved its records, something else had its name, a repair replaced it, or what a run saved
 * was added by a repair.
 */
export type KeptKind = "rescued" | "replaced" | "damaged" | "added";

/** A name for a database that is put aside, and for its log. Numbered rather than dated: a clock may say the same twice. */
export function freeName(path: string, kind: KeptKind): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.${kind}-${number}`;
    if (![name, `${name}-wal`].some(isTaken)) return name;
  }
}

/** Also by a link to nowhere, which a repository could bring: what is written there would be elsewhere. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Every database that was put aside, also by an earlier version, which dated them. */
export function listKept(path: string): string[] {
  return namesIn(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.`) && !/-(?:wal|shm|journal)$/.test(name))
    .sort()
    .map((name) => join(dirname(path), name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** What runs saved when their database was taken away. */
export function listRescued(path: string): string[] {
  return listKept(path).filter((file) => /\.rescued-\d+$/.test(file));
}
