import { type NoteType, sectionNames } from "../domain/knowledge/note.js";
import { mergeLines, type Segment } from "./merge-lines.js";
import type { RenderConflict } from "./merge-note.js";
import type { ProseLine, Version } from "./split-version.js";

export interface AllVersions {
  base: Version;
  ours: Version;
  theirs: Version;
}

/** The merged lines between notes, and their sections. A place is the number of lines above it. */
interface ProseLines {
  lines: string[];
  push(line: Pick<ProseLine, "raw" | "section">): void;
  /** The section of a place. */
  typeAt(place: number): NoteType;
  /** The place below the first header of a section, which is added if it is missing. */
  placeIn(type: NoteType): number;
}

/** The merged lines between notes. */
export interface MergedProse extends Omit<ProseLines, "push"> {
  conflicts: number;
  /** The new place of a note that was below this line in a version. */
  ourPlace(anchor: number): number;
  theirPlace(anchor: number): number;
  /** Whether a note of all versions is where their version has it, given the lines above it. */
  followsTheirs(base: number, ours: number, theirs: number): boolean;
}

/** Merges the lines between the notes as Git does, except that new sections of both sides are kept. */
export function mergeProse(
  { base, ours, theirs }: AllVersions,
  { renderConflict, lineEnd }: { renderConflict: RenderConflict; lineEnd: string },
): MergedProse {
  const { lines, push, typeAt, placeIn } = makeProseLines(lineEnd);
  const places = { ours: [0], theirs: [0] };
  const baseOf = { ours: new Map([[-1, -1]]), theirs: new Map([[-1, -1]]) };
  let conflicts = 0;
  /** Covers removed lines, too: what was below them follows their replacement. */
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
      const rendered = renderConflict(rawOf(our, lineEnd), rawOf(their, lineEnd));
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
      // Lines that only the other side changed are still those of the base.
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

/** Both sides added sections in one place, and nothing else. */
function areNewSections({ base }: Segment, lines: readonly ProseLine[]): boolean {
  return base[0] === base[1] && lines.every(({ text, section }) => text === "" || section !== undefined);
}

function makeProseLines(lineEnd: string): ProseLines {
  const lines: string[] = [];
  const sections: { place: number; type: NoteType }[] = [];
  const push: ProseLines["push"] = ({ raw, section }) => {
    if (raw !== "") lines.push(raw.endsWith("\n") ? raw : raw + lineEnd);
    if (section !== undefined) sections.push({ place: lines.length, type: section });
  };
  return {
    lines,
    push,
    typeAt: (place) => sections.findLast((section) => section.place <= place)?.type ?? "pattern",
    placeIn(type) {
      const known = sections.find((section) => section.type === type);
      if (known !== undefined) return known.place;
      if (lines.length > 0) lines.push(lineEnd);
      push({ raw: `## ${sectionNames[type]}${lineEnd}`, section: type });
      return lines.length;
    },
  };
}
