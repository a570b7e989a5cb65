import { joinUnits, linesAsUnits, type RawLine, rawLinesOf } from "../../text/merge/lines-as-units.js";
import { mergeUntilSettled } from "../../text/merge/merge-until-settled.js";
import { weaveUnits } from "../../text/merge/weave-units.js";
import { findMarkers } from "../find-markers.js";

/** Brings what somebody changed in a continuity file since `base` into ours; the managed section is always ours. */
export function mergeContinuity(base: Buffer | undefined, theirs: Buffer, ours: Buffer): Buffer {
  const section = linesOf(ours).find(isSection);
  const withOurs = (lines: RawLine[]) => lines.map((line) => (isSection(line) ? (section ?? line) : line));
  const was = base && withOurs(linesOf(base));
  const isAdded = section !== undefined && !was?.some(isSection);
  // One that both added is in the file once.
  const their = withOurs(linesOf(theirs)).filter((line) => !isAdded || !isSection(line));
  const [baseUnits, theirUnits] = [was && linesAsUnits(was), linesAsUnits(their)];
  const mergeInto = (bytes: Buffer) =>
    Buffer.from(joinUnits(weaveUnits(baseUnits, theirUnits, linesAsUnits(linesOf(bytes)))), "latin1");
  return mergeUntilSettled({ base, theirs, ours }, mergeInto);
}

/** No line can say this. */
const sectionText = "<!-- ralph:begin -->\n<!-- ralph:end -->";

function isSection({ text }: RawLine): boolean {
  return text === sectionText;
}

/** Its lines, and the managed section as one of them, markers included. */
function linesOf(bytes: Buffer): RawLine[] {
  const text = (start: number, end?: number) => bytes.toString("latin1", start, end);
  const [begin, end, ...others] = markersOf(bytes);
  if (begin?.kind !== "begin" || end?.kind !== "end" || others.length > 0) return rawLinesOf(text(0));
  return [
    ...rawLinesOf(text(0, begin.start)),
    { text: sectionText, raw: text(begin.start, end.next) },
    ...rawLinesOf(text(end.next)),
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
