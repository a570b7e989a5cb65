import { type MergedNote, mergeNote } from "./merge-note.js";
import type { VersionNote } from "./split-version.js";

/**
 * Merges the versions of a note as branches are merged, but for conflicts: one that one of them deleted and the other changed
 * or moved to another section stays, moved by both it is where they put it, and of one that both changed ours follows theirs
 * as a note of its own.
 */
export function mergeLateNote(
  base: VersionNote | undefined,
  ours: VersionNote | undefined,
  theirs: VersionNote | undefined,
  keepBoth: (theirs: string, ours: string) => string,
): MergedNote | undefined {
  if (ours === undefined || theirs === undefined)
    return mergeNote(base, ours, theirs, { render: (our, their) => our + their });
  const merged = mergeNote(base, ours, theirs, { render: (_, taken) => taken });
  if (merged === undefined || !merged.isConflict) return merged;
  const our = mergeNote(base, ours, theirs, { render: (taken) => taken })?.raw ?? "";
  const their = merged.inTheirSection ?? merged.raw;
  const both = our === their ? their : keepBoth(their, our);
  return merged.inTheirSection === undefined
    ? { raw: both, isConflict: false }
    : { raw: "", inTheirSection: both, isConflict: false };
}
