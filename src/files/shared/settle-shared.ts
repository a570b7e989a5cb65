import { RalphError } from "../../domain/ralph-error.js";
import { withFileErrors } from "../file-problem.js";
import { findKeptFolders, isOpen, listEntries, type SharedFile } from "./kept-entries.js";
import { findLate } from "./outdated-entries.js";
import type { ReplacedFile } from "./replace-shared.js";

/** Brings what `theirs` changed since `base` into `ours`; without a base everything counts as added. */
export type MergeSave = (base: Buffer | undefined, theirs: Buffer, ours: Buffer) => Promise<Buffer>;

const maxTries = 100;

/**
 * Makes a shared file whole: gives it back its name if a writer was killed between two steps, and merges what people wrote
 * to files that Ralph had replaced. Returns what it wrote, which the caller can restore.
 */
export async function settleShared(file: SharedFile, merge: MergeSave): Promise<ReplacedFile | undefined> {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const folders = withFileErrors(file.path, () => findKeptFolders(file));
    const entries = listEntries(folders);
    const late = findLate(entries);
    if (late.length === 0 && !entries.some(isOpen)) return undefined;
    const { mergeLate } = await import("./late/merge-late.js");
    const settled = await mergeLate(file, { target: folders.target, entries, late }, merge);
    if (settled !== "changed-meanwhile") return settled;
  }
  throw new RalphError("file-unusable", `Something keeps writing to ${file.path}`, {
    hint: "stop it, then try again",
  });
}

/** Whether a writer that was killed, or is at it, has taken the file's name away. */
export function isBetweenNames(file: SharedFile): boolean {
  return withFileErrors(file.path, () => listEntries(findKeptFolders(file)).some(isOpen));
}
