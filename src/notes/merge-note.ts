import { isUtf8 } from "node:buffer";
import { mergeLines, type Segment } from "./merge-lines.js";
import { listTags, renderTags, splitAtTags } from "./render.js";
import type { VersionNote } from "./split-version.js";

/** Both texts between conflict markers. */
export type RenderConflict = (ours: string, theirs: string) => string;

/** A merged note, with conflict markers if needed. */
export interface MergedNote {
  raw: string;
  /** The text for the other section, if both sides moved it to different ones. */
  inTheirSection?: string;
  isConflict: boolean;
}

/**
 * Merges the versions of a note; undefined stands for a version without it. Returns undefined if it is deleted. New text of one side and
 * new metadata of the other are combined, and so are tags of both; deleting a note conflicts with the other side changing it or moving it
 * to another section. A note moved to different sections is in both, so that taking one side of all conflicts leaves it in one.
 */
export function mergeNote(
  base: VersionNote | undefined,
  ours: VersionNote | undefined,
  theirs: VersionNote | undefined,
  renderConflict: RenderConflict,
): MergedNote | undefined {
  if (ours !== undefined && theirs !== undefined) {
    const [b, o, t] = withMergedMetadata(base, ours, theirs);
    const isMovedApart = new Set([base?.type, ours.type, theirs.type]).size === 3;
    if (!isMovedApart) return mergeBoth(b, o, t, renderConflict);
    const { raw: our } = mergeBoth(b, o, t, (taken) => taken);
    const { raw: their } = mergeBoth(b, o, t, (_, taken) => taken);
    return { raw: renderConflict(our, ""), inTheirSection: renderConflict("", their), isConflict: true };
  }
  const left = ours ?? theirs;
  if (left === undefined) return undefined;
  if (base === undefined) return { raw: left.raw, isConflict: false };
  const isUnchanged = left.type === base.type && withoutLineEnds(left.raw) === withoutLineEnds(base.raw);
  if (isUnchanged) return undefined;
  return { raw: renderConflict(ours?.raw ?? "", theirs?.raw ?? ""), isConflict: true };
}

/** The versions, with the same metadata line in each if both changed it and it can be merged. */
function withMergedMetadata(
  base: VersionNote | undefined,
  ours: VersionNote,
  theirs: VersionNote,
): [base: string, ours: string, theirs: string] {
  const lineIn = ({ raw, metadata }: VersionNote) => metadata && raw.slice(...metadata);
  const [b, o, t] = [base && lineIn(base), lineIn(ours), lineIn(theirs)];
  const isChangedByBoth = b !== o && b !== t && o !== t;
  const canMerge = b !== undefined && o !== undefined && t !== undefined && isChangedByBoth;
  const merged = canMerge ? mergeMetadata(b, o, t) : undefined;
  const replaced = ({ raw, metadata }: VersionNote) =>
    merged === undefined || metadata === undefined
      ? raw
      : raw.slice(0, metadata[0]) + merged + raw.slice(metadata[1]);
  return [base === undefined ? "" : replaced(base), replaced(ours), replaced(theirs)];
}

function mergeBoth(base: string, ours: string, theirs: string, renderConflict: RenderConflict): MergedNote {
  const chosen = chooseVersion({ base, ours, theirs });
  if (chosen !== undefined) return { raw: chosen.raw, isConflict: false };
  const [b, o, t] = [runsOf(base), runsOf(ours), runsOf(theirs)];
  const isAlike = [b, t].every((runs) => runs.map(kindOf).join() === o.map(kindOf).join());
  const parts = isAlike
    ? o.map((our, index) => mergeRun(b[index] ?? [], our, t[index] ?? [], renderConflict))
    : [mergeRun(b.flat(), o.flat(), t.flat(), renderConflict)];
  return {
    raw: parts.map(({ raw }) => raw).join(""),
    isConflict: parts.some(({ isConflict }) => isConflict),
  };
}

/** The version that can be used unchanged: one that only one side changed, or that both changed alike. */
function chooseVersion(all: { base: string; ours: string; theirs: string }): { raw: string } | undefined {
  const [base, ours, theirs] = [all.base, all.ours, all.theirs].map(withoutLineEnds);
  if (ours === theirs) return { raw: all.ours === all.base ? all.theirs : all.ours };
  if (ours === base) return { raw: all.theirs };
  return theirs === base ? { raw: all.ours } : undefined;
}

function withoutLineEnds(raw: string): string {
  return raw.replace(/\r*\n/g, "\n").replace(/\n$/, "");
}

/** The lines of a note, its text separate from the lines above and below. */
function runsOf(raw: string): string[][] {
  const runs: string[][] = [];
  for (const line of raw.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const last = runs.at(-1);
    if (last !== undefined && kindOf(last) === kindOf([line])) last.push(line);
    else runs.push([line]);
  }
  return runs;
}

function kindOf([line = ""]: readonly string[]): "text" | "other" {
  return line.startsWith(">") ? "text" : "other";
}

function mergeRun(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  renderConflict: RenderConflict,
): MergedNote {
  const chosen = chooseVersion({ base: base.join(""), ours: ours.join(""), theirs: theirs.join("") });
  if (chosen !== undefined) return { raw: chosen.raw, isConflict: false };
  const segments = mergeLines(base.map(textOf), ours.map(textOf), theirs.map(textOf));
  const raw = asOneConflict(segments).map(({ take, ...spans }) => {
    const our = ours.slice(...spans.ours).join("");
    return take === "conflict" ? renderConflict(our, theirs.slice(...spans.theirs).join("")) : our;
  });
  return { raw: raw.reduce(onNextLine, ""), isConflict: true };
}

/** A marker starts a line, even after a last line without a line end. */
function onNextLine(text: string, next: string): string {
  const isInLine = text !== "" && next !== "" && !text.endsWith("\n");
  return isInLine ? `${text}\n${next}` : text + next;
}

/** Spans the first to the last difference: a note is one statement, and halves of two edits would make a third. */
function asOneConflict(segments: readonly Segment[]): Segment[] {
  const isDifferent = ({ take }: Segment) => take !== "both";
  const [first, last] = [segments.findIndex(isDifferent), segments.findLastIndex(isDifferent)];
  const [start, end] = [segments[first], segments[last]];
  if (start === undefined || end === undefined) return [...segments];
  const joined: Segment = {
    take: "conflict",
    base: [start.base[0], end.base[1]],
    ours: [start.ours[0], end.ours[1]],
    theirs: [start.theirs[0], end.theirs[1]],
  };
  return [...segments.slice(0, first), joined, ...segments.slice(last + 1)];
}

function textOf(line: string): string {
  return line.replace(/\r*\n?$/, "");
}

/**
 * Merges a metadata line that both changed, passed without line ends: its tags as a set, the rest from the side that changed it. Undefined
 * if both changed the rest. One character stands for one byte.
 */
function mergeMetadata(base: string, ours: string, theirs: string): string | undefined {
  if (![base, ours, theirs].every((line) => isUtf8(Buffer.from(line, "latin1")))) return undefined;
  const [b, o, t] = [splitAtTags(base), splitAtTags(ours), splitAtTags(theirs)];
  const [was, our, their] = [b, o, t].map(({ before, after }) => before + after);
  if (our !== was && their !== was && our !== their) return undefined;
  const { before, after } = our === was ? t : o;
  return before + mergeTags(b.tags, o.tags, t.tags) + after;
}

function mergeTags(base: string, ours: string, theirs: string): string {
  const [was = [], our = [], their = []] = [base, ours, theirs].map((text) =>
    listTags(Buffer.from(text, "latin1").toString()),
  );
  const kept = our.filter((tag) => their.includes(tag) || !was.includes(tag));
  const added = their.filter((tag) => !our.includes(tag) && !was.includes(tag));
  const merged = [...new Set([...kept, ...added])];
  const written = [ours, theirs].find((_, side) => merged.join() === [our, their][side]?.join());
  return written ?? Buffer.from(renderTags(merged)).toString("latin1");
}
