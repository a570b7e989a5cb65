import { joinUnits, linesAsUnits } from "../../text/merge/lines-as-units.js";
import { mergeUnits, type Unit } from "../../text/merge/merge-units.js";
import { findMarkers } from "../find-markers.js";

/** Brings what somebody changed in a continuity file since `base` into ours; the managed section is always ours. */
export function mergeContinuity(base: Buffer | undefined, theirs: Buffer, ours: Buffer): Buffer {
  const section = unitsOf(ours).find(({ isRecord }) => isRecord);
  const withOurs = (units: Unit[]) =>
    units.map((unit) => (unit.isRecord && section !== undefined ? section : unit));
  const merged = mergeUnits(base && withOurs(unitsOf(base)), withOurs(unitsOf(theirs)), unitsOf(ours), {
    keepOurs: () => [],
  });
  return Buffer.from(joinUnits(merged), "latin1");
}

/** Its lines, and the managed section as one record, markers included. */
function unitsOf(bytes: Buffer): Unit[] {
  const text = (start: number, end?: number) => bytes.toString("latin1", start, end);
  const [begin, end, ...others] = markersOf(bytes);
  if (begin?.kind !== "begin" || end?.kind !== "end" || others.length > 0) return linesAsUnits(text(0));
  return [
    ...linesAsUnits(text(0, begin.start)),
    { key: "<!-- ralph -->", text: text(begin.start, end.next), isRecord: true },
    ...linesAsUnits(text(end.next)),
  ];
}

/** None when they are not as they should be: the next update says so. */
function markersOf(bytes: Buffer): ReturnType<typeof findMarkers> {
  try {
    return findMarkers(bytes, "");
  } catch {
    return [];
  }
}
