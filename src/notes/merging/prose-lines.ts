import { type NoteType, sectionNames } from "../../domain/knowledge/note.js";
import type { ProseLine } from "./split-version.js";

/** Lines between notes as they are put together, and the sections that they make. A place is the number of lines above it. */
export interface ProseLines {
  lines: string[];
  push(line: Pick<ProseLine, "raw" | "section">): void;
  /** The section that a place is in. */
  typeAt(place: number): NoteType;
  /** The place below the first header of a section, which is added if there is none. */
  placeIn(type: NoteType): number;
}

/** The merged lines between notes. */
export interface MergedProse extends Omit<ProseLines, "push"> {
  conflicts: number;
  /** Where a note stands that stood below this line of a version. */
  ourPlace(anchor: number): number;
  theirPlace(anchor: number): number;
  /** Whether a note that all have stands where they have it, given the lines above it. */
  followsTheirs(base: number, ours: number, theirs: number): boolean;
}

export function makeProseLines(lineEnd: string): ProseLines {
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
