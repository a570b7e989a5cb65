import { rawLinesOf } from "./lines-as-units.js";

/** What somebody saved late. */
export interface LateSave {
  /** What they changed; without it, everything counts as added. */
  base: Buffer | undefined;
  theirs: Buffer;
  ours: Buffer;
}

const maxRounds = 10;
/** With one character for each byte. */
const byteOrderMark = /^\u00ef\u00bb\u00bf/;

/**
 * Merges until merging again changes nothing: what stands together now may read as something else, such as a quote of ours
 * below a note of theirs that has no metadata. If that never ends, it is merged once.
 */
export function mergeUntilSettled(save: LateSave, mergeInto: (ours: Buffer) => Buffer): Buffer {
  let before = save.ours;
  for (let round = 0; round < maxRounds; round += 1) {
    const merged = mergeInto(before);
    if (merged.equals(before)) return merged;
    before = merged;
  }
  return hasAdded(save) ? save.ours : mergeInto(save.ours);
}

/** Whether we have every line that they added, but for blank ones. */
function hasAdded({ base, ours, theirs }: LateSave): boolean {
  const linesIn = (bytes: Buffer) =>
    rawLinesOf(bytes.toString("latin1").replace(byteOrderMark, "")).map(({ text }) => text);
  const known = new Set([...(base === undefined ? [] : linesIn(base)), ...linesIn(ours)]);
  return linesIn(theirs).every((line) => line.trim() === "" || known.has(line));
}
