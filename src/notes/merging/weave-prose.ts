import { type LineUnit, linesAsUnits } from "../../text/merge/lines-as-units.js";
import { numbered, type WovenUnit, weaveUnits } from "../../text/merge/weave-units.js";
import type { AllVersions } from "./join-versions.js";
import { type MergedProse, makeProseLines } from "./prose-lines.js";

/** Merges the lines between the notes so that all that either added stays, without a conflict. */
export function weaveProse(
  { base, ours, theirs }: AllVersions,
  { lineEnd, hasBase }: { lineEnd: string; hasBase: boolean },
): MergedProse {
  const units = {
    base: linesAsUnits(base.prose),
    ours: linesAsUnits(ours.prose),
    theirs: linesAsUnits(theirs.prose),
  };
  const { lines, push, typeAt, placeIn } = makeProseLines(lineEnd);
  const woven = weaveUnits(hasBase ? units.base : undefined, units.theirs, units.ours);
  const places = woven.map(({ lead, text, ...at }) => {
    const line =
      ours.prose[(units.ours[at.ours ?? -1]?.end ?? 0) - 1] ??
      theirs.prose[(units.theirs[at.theirs ?? -1]?.end ?? 0) - 1];
    push({ raw: lead, section: undefined });
    push({ raw: text, section: text === "" ? undefined : line?.section });
    return lines.length;
  });
  const [ourPlaces, theirPlaces] = (["ours", "theirs"] as const).map((side) =>
    placesByLine(units[side], side, woven, places),
  );
  const [inBase, inTheirs] = [namesByLine(units.base), namesByLine(units.theirs)];
  return {
    lines,
    conflicts: 0,
    ourPlace: (anchor) => ourPlaces?.get(anchor) ?? 0,
    theirPlace: (anchor) => theirPlaces?.get(anchor) ?? 0,
    followsTheirs: (was, _, their) => inBase.get(was) !== inTheirs.get(their),
    typeAt,
    placeIn,
  };
}

/** Where a note stands that stood below a line; below a line that is gone, it follows what was above that. */
function placesByLine(
  units: readonly LineUnit[],
  side: "ours" | "theirs",
  woven: readonly WovenUnit[],
  places: readonly number[],
): Map<number, number> {
  const placeOf = new Map(woven.map((unit, index) => [unit[side], places[index] ?? 0]));
  let place = 0;
  return new Map(
    units.map(({ end }, index) => {
      place = placeOf.get(index) ?? place;
      return [end - 1, place];
    }),
  );
}

/** What tells the line of a version from others: what it says, and how many above it say the same. */
function namesByLine(units: readonly LineUnit[]): Map<number, string> {
  return new Map(
    Array.from(numbered(units), ([key, ordinal, index]) => [
      (units[index]?.end ?? 0) - 1,
      `${ordinal} ${key}`,
    ]),
  );
}
