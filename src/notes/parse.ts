import { isCalendarDate, isoDate } from "../domain/clock.js";
import {
  type Note,
  type NoteProblem,
  type NoteType,
  noteTypes,
  sectionNames,
} from "../domain/knowledge/note.js";
import { timeOfNoteId } from "../domain/knowledge/note-id.js";
import { refuseConflictMarkers } from "./conflict-markers.js";
import { byteText, type Line, linesOf } from "./lines.js";
import { opaqueLines } from "./opaque-lines.js";

export interface Range {
  start: number;
  end: number;
}

/** A note and the byte ranges that belong to it; anything else in between is somebody's prose. */
export interface NoteBlock {
  note: Note;
  line: number;
  heading: Range;
  content: Range[];
  metadata: Range | undefined;
  /** Ralph's comments below the metadata, such as `<!-- origin: user -->`. */
  ownComments: Range[];
}

/** A section header; new notes of its type are inserted below it. */
export interface Section {
  type: NoteType;
  header: Range;
}

export interface NotesDocument {
  bytes: Buffer;
  blocks: NoteBlock[];
  sections: Section[];
  problems: NoteProblem[];
}

export interface ParseOptions {
  /** For error messages. */
  path: string;
  /** The date of notes without one. */
  today: string;
}

const noteHeading = /^### (mem-\S*)/;
const validId = /^mem-[A-Za-z0-9][A-Za-z0-9._-]*$/;
const anyHeading = /^#{1,3}(?: |$)/;
const ownComment = /^<!-- (?:origin|ralph): .*-->\s*$/;
const metadataStart = /^\s*<!--\s*tags:/;

/** Parses a notes file; blocks and sections are ranges of its unchanged bytes. */
export function parseNotes(bytes: Buffer, options: ParseOptions): NotesDocument {
  const lines = [...linesOf(byteText(bytes))];
  refuseConflictMarkers(options.path, lines);
  const opaque = opaqueLines(lines);
  const visible = lines.filter((line) => !opaque.has(line.number));
  const document: NotesDocument = { bytes, blocks: [], sections: [], problems: [] };
  const seen = new Set<string>();
  let type: NoteType = "pattern";
  for (const [index, line] of visible.entries()) {
    const sectionType = sectionTypeOf(line.text);
    if (sectionType !== undefined) {
      type = sectionType;
      document.sections.push({ type, header: { start: line.start, end: line.next } });
      continue;
    }
    const id = noteHeading.exec(line.text)?.[1];
    if (id === undefined) continue;
    const result = readBlock(bytes, id, type, visible, index, options.today);
    const problem = result.problem ?? (seen.has(id) ? `duplicate note id: ${id}` : undefined);
    if (problem !== undefined) document.problems.push({ line: line.number, message: problem });
    if (result.block === undefined || seen.has(id)) continue;
    seen.add(id);
    document.blocks.push(result.block);
  }
  return document;
}

/** The note type of a section header such as `## Fixes`; text after the name is ignored. */
export function sectionTypeOf(text: string): NoteType | undefined {
  if (!text.startsWith("## ")) return undefined;
  return noteTypes.find((type) => {
    const name = sectionNames[type];
    return text.startsWith(name, 3) && !/^\w/.test(text.slice(3 + name.length));
  });
}

function readBlock(
  bytes: Buffer,
  id: string,
  type: NoteType,
  lines: readonly Line[],
  headingIndex: number,
  today: string,
): { block?: NoteBlock; problem?: string } {
  const heading = lines[headingIndex];
  if (heading === undefined || !validId.test(id)) return { problem: `invalid note id: ${id}` };
  const body = lines.slice(headingIndex + 1, endOfBlock(lines, headingIndex));
  const metadataIndex = body.findIndex((line) => metadataStart.test(line.text));
  const metadata = body[metadataIndex];
  const content = body.slice(0, metadata && metadataIndex).filter((line) => line.text.startsWith(">"));
  if (content.length === 0) return { problem: `note ${id} has no content: content lines start with "> "` };
  const afterMetadata = metadata === undefined ? [] : body.slice(metadataIndex + 1);
  const ownCount = afterMetadata.findIndex((line) => !ownComment.test(line.text));
  const fields = metadata && readMetadata(textOf(bytes, metadata));
  const block: NoteBlock = {
    note: {
      id,
      type,
      content: content.map((line) => unquote(textOf(bytes, line))).join("\n"),
      tags: fields?.tags ?? [],
      created: fields?.created ?? dateOfId(id) ?? today,
    },
    line: heading.number,
    heading: rangeOf(heading),
    content: content.map(rangeOf),
    metadata: metadata && rangeOf(metadata),
    ownComments: afterMetadata.slice(0, ownCount === -1 ? undefined : ownCount).map(rangeOf),
  };
  if (fields === undefined || fields.created !== undefined) return { block };
  return { block, problem: `note ${id} has no valid date: write "| created: YYYY-MM-DD"` };
}

function endOfBlock(lines: readonly Line[], headingIndex: number): number {
  for (let index = headingIndex + 1; index < lines.length; index += 1) {
    if (anyHeading.test(lines[index]?.text ?? "")) return index;
  }
  return lines.length;
}

function readMetadata(text: string): { tags: string[]; created: string | undefined } {
  const dated = /^\s*<!--\s*tags:(.*)\|\s*created:\s*(\d{4}-\d{2}-\d{2})(?!\d)/.exec(text);
  const created = dated?.[2];
  const tags = dated?.[1] ?? /^\s*<!--\s*tags:(.*?)(?:\|\s*created:.*)?(?:-->.*)?$/.exec(text)?.[1] ?? "";
  return {
    tags: tags
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
    created: created !== undefined && isCalendarDate(created) ? created : undefined,
  };
}

function dateOfId(id: string): string | undefined {
  const time = timeOfNoteId(id);
  return time && isoDate(time);
}

function unquote(text: string): string {
  return text.startsWith("> ") ? text.slice(2) : text.slice(1);
}

function textOf(bytes: Buffer, line: Line): string {
  return bytes.toString("utf8", line.start, line.end);
}

function rangeOf(line: Line): Range {
  return { start: line.start, end: line.next };
}
