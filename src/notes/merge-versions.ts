import type { NoteType } from "../domain/knowledge/note.js";
import { byteText, lineEndOf } from "./lines.js";
import { type MergedNote, mergeNote, type RenderConflict } from "./merge-note.js";
import { type AllVersions, type MergedProse, mergeProse } from "./merge-prose.js";
import { splitVersion, type Version, type VersionNote } from "./split-version.js";

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

export interface MergedVersions {
  bytes: Buffer;
  /** The ids of conflicting notes. */
  notes: string[];
  /** The number of conflicting places between notes. */
  places: number;
}

/**
 * Merges two branches of a notes file. Notes are matched by id: new ones of both sides are kept, deleted ones removed, and each is placed
 * in its section, next to the note or line where it was put; conflicts are confined to the note that both sides changed. Lines between
 * notes are merged as Git does.
 */
export function mergeVersions({ base, ours, theirs }: VersionsToMerge, labels: MergeLabels): MergedVersions {
  const all = { base: splitVersion(base), ours: splitVersion(ours), theirs: splitVersion(theirs) };
  const lineEnd = lineEndOf(all.ours.text);
  const renderConflict = conflictRenderer(labels, lineEnd);
  const prose = mergeProse(all, { renderConflict, lineEnd });
  const merged = new Map<string, MergedNote>();
  for (const id of new Set([...all.ours.notes.keys(), ...all.theirs.notes.keys()])) {
    const [b, o, t] = [all.base, all.ours, all.theirs].map(({ notes }) => notes.get(id));
    const note = mergeNote(b, o, t, renderConflict);
    if (note !== undefined) merged.set(id, note);
  }
  const byPlace = placeNotes(all, prose, merged);
  const parts: string[] = [];
  const push = (part: string) => {
    if (parts.length > 0 && !parts.at(-1)?.endsWith("\n")) parts.push(lineEnd);
    if (part !== "") parts.push(part);
  };
  for (let place = 0; place <= prose.lines.length; place += 1) {
    if (place > 0) push(prose.lines[place - 1] ?? "");
    const notes = byPlace.get(place);
    if (notes === undefined) continue;
    for (const id of inOrder(all, [...notes.keys()], prose.typeAt(place))) {
      push(leadOf(all, id));
      push(notes.get(id) ?? "");
    }
  }
  const endsLine = ofThree(all.base.endsLine, all.ours.endsLine, all.theirs.endsLine);
  const text = withEnd(parts.join(""), endsLine, lineEnd);
  const notes = [...merged].filter(([, { isConflict }]) => isConflict).map(([id]) => id);
  const mark = ofThree(all.base.mark, all.ours.mark, all.theirs.mark);
  return { bytes: Buffer.from(mark + text, "latin1"), notes, places: prose.conflicts };
}

/** The value that one side changed; ours if both did. */
function ofThree<Value>(base: Value, ours: Value, theirs: Value): Value {
  return ours === base ? theirs : ours;
}

/** The notes at each place between the lines, with their text there. */
function placeNotes(
  { base, ours, theirs }: AllVersions,
  prose: MergedProse,
  merged: ReadonlyMap<string, MergedNote>,
): Map<number, Map<string, string>> {
  const byPlace = new Map<number, Map<string, string>>();
  const placeOf = new Map<string, number>();
  const put = (id: string, wanted: number, type: NoteType, raw = merged.get(id)?.raw ?? "") => {
    const place = prose.typeAt(wanted) === type ? wanted : prose.placeIn(type);
    placeOf.set(id, place);
    byPlace.set(place, (byPlace.get(place) ?? new Map<string, string>()).set(id, raw));
  };
  const added: { id: string; version: Version; place(anchor: number): number }[] = [];
  for (const [id, { raw, inTheirSection }] of merged) {
    const [b, o, t] = [base, ours, theirs].map(({ notes }) => notes.get(id));
    if (inTheirSection !== undefined && o !== undefined && t !== undefined) {
      put(id, prose.theirPlace(t.anchor), t.type, inTheirSection);
      if (raw !== "") put(id, prose.ourPlace(o.anchor), o.type);
      continue;
    }
    const isOurs = o !== undefined;
    const [kept, other] = isOurs ? [o, t] : [t, undefined];
    if (kept === undefined) continue;
    if (b === undefined) {
      const place = isOurs ? prose.ourPlace : prose.theirPlace;
      added.push({ id, version: isOurs ? ours : theirs, place });
      continue;
    }
    const isMovedByThem = other !== undefined && prose.followsTheirs(b.anchor, kept.anchor, other.anchor);
    const place =
      isOurs && !isMovedByThem ? prose.ourPlace(kept.anchor) : prose.theirPlace((other ?? kept).anchor);
    put(id, place, other === undefined ? kept.type : ofThree(b.type, kept.type, other.type));
  }
  for (const { id, version, place } of added) {
    const { type, anchor, above } = version.notes.get(id) ?? { type: "pattern", anchor: -1 };
    // Next to its original neighbour, wherever that is now.
    const neighbour = above === undefined ? undefined : placeOf.get(above);
    const isBeside = neighbour !== undefined && prose.typeAt(neighbour) === type;
    put(id, isBeside ? neighbour : place(anchor), type);
  }
  return byPlace;
}

/** Notes of one place in the order of the version that changed it; the others stay next to their neighbours. */
function inOrder({ base, ours, theirs }: AllVersions, ids: readonly string[], type: NoteType): string[] {
  // A note's position in another section does not determine its place in this one.
  const isIn = ({ notes }: Version, id: string) => notes.get(id)?.type === type;
  const idsIn = (version: Version) =>
    inFileOrder(
      version.notes,
      ids.filter((id) => isIn(version, id)),
    );
  const isCommon = (id: string) => [base, ours, theirs].every((version) => isIn(version, id));
  const [old, our, their] = [base, ours, theirs].map((version) => idsIn(version).filter(isCommon).join("\n"));
  const [first, second] = our === old && their !== old ? [theirs, ours] : [ours, theirs];
  const beside = new Map<string, { above: string[]; below: string[] }>();
  for (const id of idsIn(first)) beside.set(id, { above: [], below: [] });
  let loose: string[] = [];
  let last: { above: string[]; below: string[] } | undefined;
  for (const id of idsIn(second)) {
    const known = beside.get(id);
    if (known === undefined) (last?.below ?? loose).push(id);
    else {
      known.above.push(...loose);
      loose = [];
      last = known;
    }
  }
  return [...[...beside].flatMap(([id, { above, below }]) => [...above, id, ...below]), ...loose];
}

function inFileOrder(notes: ReadonlyMap<string, VersionNote>, ids: readonly string[]): string[] {
  const index = (id: string) => notes.get(id)?.index ?? -1;
  return ids.toSorted((a, b) => index(a) - index(b));
}

function leadOf({ base, ours, theirs }: AllVersions, id: string): string {
  const [b, o, t] = [base, ours, theirs].map(({ notes }) => notes.get(id)?.lead);
  return (o === undefined || t === undefined ? (o ?? t) : ofThree(b, o, t)) ?? "";
}

function withEnd(text: string, endsLine: boolean, lineEnd: string): string {
  if (text === "" || text.endsWith("\n") === endsLine) return text;
  return endsLine ? text + lineEnd : text.replace(/\r?\n$/, "");
}

function conflictRenderer({ markerSize, ours, theirs }: MergeLabels, lineEnd: string): RenderConflict {
  const marker = (sign: string, label = "") =>
    `${sign.repeat(markerSize)}${label === "" ? "" : ` ${byteText(Buffer.from(label))}`}${lineEnd}`;
  const closed = (text: string) => (text === "" || text.endsWith("\n") ? text : text + lineEnd);
  return (our, their) => marker("<", ours) + closed(our) + marker("=") + closed(their) + marker(">", theirs);
}
