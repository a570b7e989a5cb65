import { mergeLines, type Segment } from "../../text/merge/merge-lines.js";
import type { ConflictStyle } from "./conflict-style.js";
import type { AllVersions } from "./join-versions.js";
import { type MergedProse, makeProseLines } from "./prose-lines.js";
import type { ProseLine, Version } from "./split-version.js";

/** Merges the lines between the notes as Git does, but for sections: both sides' new ones are kept. */
export function mergeProse(
  { base, ours, theirs }: AllVersions,
  { style, lineEnd }: { style: ConflictStyle; lineEnd: string },
): MergedProse {
  const { lines, push, typeAt, placeIn } = makeProseLines(lineEnd);
  const places = { ours: [0], theirs: [0] };
  const baseOf = { ours: new Map([[-1, -1]]), theirs: new Map([[-1, -1]]) };
  let conflicts = 0;
  /** Also for lines that are gone: what stood below them follows what is in their place. */
  const setPlaces = (side: "ours" | "theirs", [start, end]: Segment["ours"], place = lines.length) => {
    for (let index = start; index < end; index += 1) places[side][index + 1] = place;
  };
  for (const segment of mergeLines(
    ...([base, ours, theirs].map(textsOf) as [string[], string[], string[]]),
  )) {
    const [our, their] = [ours.prose.slice(...segment.ours), theirs.prose.slice(...segment.theirs)];
    if (segment.take === "both") {
      for (const [index, line] of our.entries()) {
        const [inBase, inTheirs] = [base.prose[segment.base[0] + index], their[index]];
        const isBase = index < segment.base[1] - segment.base[0];
        push(isBase && inBase?.raw === line.raw ? (inTheirs ?? line) : line);
        for (const side of ["ours", "theirs"] as const) {
          const at = segment[side][0] + index;
          setPlaces(side, [at, at + 1]);
          if (isBase) baseOf[side].set(at, segment.base[0] + index);
        }
      }
    } else if (segment.take === "conflict" && areNewSections(segment, [...our, ...their])) {
      const isNew = (line: ProseLine) => !our.some(({ section }) => section === line.section);
      for (const [index, line] of our.entries()) {
        push(line);
        setPlaces("ours", [segment.ours[0] + index, segment.ours[0] + index + 1]);
      }
      const placeOf = new Map(
        our.map(({ section }, index) => [section, lines.length - our.length + index + 1]),
      );
      for (const [index, line] of their.entries()) {
        if (line.section !== undefined && isNew(line)) {
          if (lines.length > 0 && lines.at(-1)?.trim() !== "") lines.push(lineEnd);
          push(line);
        }
        const known = line.section === undefined ? undefined : placeOf.get(line.section);
        setPlaces(
          "theirs",
          [segment.theirs[0] + index, segment.theirs[0] + index + 1],
          known ?? lines.length,
        );
      }
    } else if (segment.take === "conflict") {
      const rendered = style.render(rawOf(our, lineEnd), rawOf(their, lineEnd));
      lines.push(...(rendered.match(/[^\n]*\n/g) ?? []));
      const type = [...our, ...their].findLast(({ section }) => section !== undefined)?.section;
      push({ raw: "", section: type });
      conflicts += 1;
      setPlaces("ours", segment.ours);
      setPlaces("theirs", segment.theirs);
    } else {
      const taken = segment.take;
      for (const [index, line] of (taken === "ours" ? our : their).entries()) {
        push(line);
        setPlaces(taken, [segment[taken][0] + index, segment[taken][0] + index + 1]);
      }
      const other = taken === "ours" ? "theirs" : "ours";
      setPlaces(other, segment[other]);
      // Lines that only the other one changed are still those of the base.
      for (let index = 0; index < segment[other][1] - segment[other][0]; index += 1)
        baseOf[other].set(segment[other][0] + index, segment.base[0] + index);
    }
  }
  return {
    lines,
    conflicts,
    ourPlace: (anchor) => places.ours[anchor + 1] ?? lines.length,
    theirPlace: (anchor) => places.theirs[anchor + 1] ?? lines.length,
    followsTheirs: (was, our, their) => baseOf.ours.get(our) === was && baseOf.theirs.get(their) !== was,
    typeAt,
    placeIn,
  };
}

function textsOf({ prose }: Version): string[] {
  return prose.map(({ text }) => text);
}

function rawOf(lines: readonly ProseLine[], lineEnd: string): string {
  return lines.map(({ raw }) => (raw.endsWith("\n") ? raw : raw + lineEnd)).join("");
}

/** Both added sections in one place, and nothing else. */
function areNewSections({ base }: Segment, lines: readonly ProseLine[]): boolean {
  return base[0] === base[1] && lines.every(({ text, section }) => text === "" || section !== undefined);
}
