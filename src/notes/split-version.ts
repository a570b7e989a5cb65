import type { NoteType } from "../domain/knowledge/note.js";
import { notesLimits } from "../domain/knowledge/note.js";
import { RalphError } from "../domain/ralph-error.js";
import { byteOrderMark, byteText, linesOf } from "./lines.js";
import type { Span } from "./merge-lines.js";
import { type NoteBlock, parseNotes } from "./parse.js";

/** A line of prose. */
export interface ProseLine {
  text: string;
  /** With its line end. */
  raw: string;
  /** Set for the header of a section. */
  section: NoteType | undefined;
}

/** A note, including prose between its lines. */
export interface VersionNote {
  type: NoteType;
  raw: string;
  /** The position of its metadata line in `raw`, without the line end. */
  metadata: Span | undefined;
  /** The empty lines above it. */
  lead: string;
  /** The index of the line of prose above it, or -1. */
  anchor: number;
  /** The note above it, if no prose is between them. */
  above: string | undefined;
  /** The number of notes above it. */
  index: number;
}

/** One version of a notes file, split into its notes by id and the lines between them. One character stands for one byte. */
export interface Version {
  text: string;
  mark: string;
  prose: ProseLine[];
  notes: Map<string, VersionNote>;
  endsLine: boolean;
}

export function splitVersion(bytes: Buffer): Version {
  const text = byteText(bytes);
  const { blocks, repeated, sections } = parseNotes(bytes, { today: "1970-01-01" });
  const noteAt = new Map(
    [...blocks, ...repeated].map((block) => [block.heading.start, { block, end: endOf(block) }]),
  );
  const sectionAt = new Map(sections.map(({ type, header }) => [header.start, type]));
  const prose: ProseLine[] = [];
  const notes = new Map<string, VersionNote>();
  let position = 0;
  let last: string | undefined;
  for (const line of linesOf(text)) {
    if (line.start < position) continue;
    const found = noteAt.get(line.start);
    if (found === undefined) {
      const raw = text.slice(line.start, line.next);
      if (prose.length === notesLimits.lines)
        throw new RalphError(
          "file-unusable",
          `More than ${notesLimits.lines} lines of prose: too many to merge`,
        );
      prose.push({ text: line.text, raw, section: sectionAt.get(line.start) });
      continue;
    }
    position = found.end;
    const { id, type } = found.block.note;
    const lead = takeEmptyLines(prose);
    const [key, raw, anchor] = [unusedKey(id, notes), text.slice(line.start, found.end), prose.length - 1];
    const above = last !== undefined && notes.get(last)?.anchor === anchor ? last : undefined;
    const metadata = metadataIn(found.block, text);
    notes.set(key, { type, lead, raw, metadata, anchor, above, index: notes.size });
    last = key;
  }
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  return { text, mark, prose, notes, endsLine: text.length === mark.length || text.endsWith("\n") };
}

function endOf({ heading, content, metadata, ownComments }: NoteBlock): number {
  const ranges = [heading, ...content, ...(metadata ? [metadata] : []), ...ownComments];
  return ranges.reduce((last, { end }) => Math.max(last, end), 0);
}

function metadataIn({ heading, metadata }: NoteBlock, text: string): Span | undefined {
  if (metadata === undefined) return undefined;
  const line = text.slice(metadata.start, metadata.end).replace(/\r*\n?$/, "");
  const start = metadata.start - heading.start;
  return [start, start + line.length];
}

function takeEmptyLines(prose: ProseLine[]): string {
  let lead = "";
  for (let last = prose.at(-1); last?.text === ""; last = prose.at(-1)) {
    lead = last.raw + lead;
    prose.pop();
  }
  return lead;
}

/** A second note with the same id is a separate note. */
function unusedKey(id: string, notes: ReadonlyMap<string, unknown>): string {
  let key = id;
  for (let count = 2; notes.has(key); count += 1) key = `${id} ${count}`;
  return key;
}
