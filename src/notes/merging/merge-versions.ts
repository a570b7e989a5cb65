import { byteText, lineEndOf } from "../lines.js";
import { conflictStyle } from "./conflict-style.js";
import { joinVersions, type MergedVersions } from "./join-versions.js";
import { mergeNote } from "./merge-note.js";
import { mergeProse } from "./merge-prose.js";
import { splitVersion } from "./split-version.js";

export interface VersionsToMerge {
  base: Buffer;
  ours: Buffer;
  theirs: Buffer;
}

export interface MergeLabels {
  markerSize: number;
  ours: string;
  theirs: string;
}

/**
 * Merges two branches of a notes file: a note that both changed has its conflict within itself, and the lines between notes
 * are merged as Git does.
 */
export function mergeVersions({ base, ours, theirs }: VersionsToMerge, labels: MergeLabels): MergedVersions {
  const lineEnd = lineEndOf(byteText(ours));
  const style = conflictStyle({
    markerSize: labels.markerSize,
    ours: byteText(Buffer.from(labels.ours)),
    theirs: byteText(Buffer.from(labels.theirs)),
    lineEnd,
  });
  const all = { base: splitVersion(base), ours: splitVersion(ours), theirs: splitVersion(theirs) };
  return joinVersions(all, {
    mergeNote: (b, o, t) => mergeNote(b, o, t, style),
    mergeProse: (versions) => mergeProse(versions, { style, lineEnd }),
  });
}
