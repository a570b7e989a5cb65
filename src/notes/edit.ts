import { type Note, type NoteType, sectionNames } from "../domain/note.js";
import { byteOrderMark, byteText, lineEndOf } from "./lines.js";
import { mayHaveOpaqueLines } from "./opaque-lines.js";
import { type NoteBlock, type NotesDocument, type ParseOptions, parseNotes, type Range } from "./parse.js";
import { metadataLine, quoteLines, renderNote } from "./render.js";

/** Bytes of a file to be replaced. */
export interface Edit extends Range {
  replacement: string;
}

export interface Insertion {
  edit: Edit;
  /** What was written in front of the note because its section was missing. */
  addedSection: string | undefined;
}

/** Puts a new note right below its section's header, or below a new header at the end. */
export function insertNote(bytes: Buffer, note: Note, options: ParseOptions): Insertion {
  const header = findHeader(bytes, note.type, options);
  if (header === undefined) return appendSection(bytes, note);
  const at = header.end;
  if (endsLine(bytes, at)) {
    const lineEnd = keptLineEnd(bytes, header);
    return {
      edit: { start: at, end: at, replacement: lineEnd + renderNote(note, lineEnd) },
      addedSection: undefined,
    };
  }
  // The header is the last line and has no end: neither has the file afterwards.
  const lineEnd = lineEndOf(byteText(bytes));
  const block = renderNote(note, lineEnd).slice(0, -lineEnd.length);
  return { edit: { start: at, end: at, replacement: lineEnd + lineEnd + block }, addedSection: undefined };
}

/** Takes a note out, with the blank line above it; prose between its lines stays. */
export function removeNote(
  { bytes }: NotesDocument,
  block: NoteBlock,
  addedSection: string | undefined,
): Edit[] {
  const own = mergeRanges(bytes, [
    block.heading,
    ...block.content,
    ...(block.metadata ? [block.metadata] : []),
  ]);
  const [first, ...others] = own;
  if (first === undefined) return [];
  let start = first.start - lengthOfBlankLineBefore(bytes, first.start);
  const isLast = others.length === 0 && first.end === bytes.length;
  if (isLast && !endsLine(bytes, first.end)) start -= lengthOfLineEndBefore(bytes, start);
  if (isLast && addedSection !== undefined) {
    const added = Buffer.from(addedSection);
    if (bytes.subarray(0, start).subarray(-added.length).equals(added)) start -= added.length;
  }
  return [{ start, end: first.end }, ...others].map((range) => ({ ...range, replacement: "" }));
}

export interface NoteChange {
  content?: string;
  tags?: string[];
  type?: NoteType;
}

/** Changes a note where it stands; with another type it moves below that section's header. */
export function changeNote(
  document: NotesDocument,
  block: NoteBlock,
  change: NoteChange,
  addedSection: string | undefined,
  options: ParseOptions,
): { edits: Edit[]; addedSection: string | undefined } {
  const note: Note = { ...block.note, ...change };
  if (note.type === block.note.type) {
    return { edits: changeInPlace(document.bytes, block, change), addedSection: undefined };
  }
  const insertion = insertNote(document.bytes, note, options);
  return {
    edits: [...removeNote(document, block, addedSection), insertion.edit],
    addedSection: insertion.addedSection,
  };
}

function changeInPlace(bytes: Buffer, block: NoteBlock, { content, tags }: NoteChange): Edit[] {
  const lineEnd = lineEndOf(byteText(bytes));
  const edits: Edit[] = [];
  const lastContent = block.content.at(-1) ?? block.heading;
  if (content !== undefined) {
    const text = quoteLines(content).join(lineEnd);
    for (const [index, range] of block.content.entries()) {
      edits.push({ ...range, replacement: index === 0 ? text + keptLineEnd(bytes, lastContent) : "" });
    }
  }
  if (tags !== undefined) {
    const text = metadataLine({ tags, created: block.note.created });
    if (block.metadata)
      edits.push({ ...block.metadata, replacement: text + keptLineEnd(bytes, block.metadata) });
    else {
      const before = endsLine(bytes, lastContent.end) ? "" : lineEnd;
      const after = endsLine(bytes, lastContent.end) ? lineEnd : "";
      edits.push({ start: lastContent.end, end: lastContent.end, replacement: before + text + after });
    }
  }
  return edits;
}

/** The parts of the changed file, in order. Edits must not overlap. */
export function applyEdits(bytes: Buffer, edits: readonly Edit[]): Buffer[] {
  const parts: Buffer[] = [];
  let position = 0;
  for (const { start, end, replacement } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(bytes.subarray(position, start), Buffer.from(replacement));
    position = end;
  }
  parts.push(bytes.subarray(position));
  return parts;
}

function appendSection(bytes: Buffer, note: Note): Insertion {
  const text = byteText(bytes);
  const lineEnd = lineEndOf(text);
  const isEmpty = text === "" || text === byteOrderMark;
  const gap = isEmpty ? "" : endsLine(bytes, bytes.length) ? lineEnd : lineEnd + lineEnd;
  const addedSection = `${gap}## ${sectionNames[note.type]}${lineEnd}`;
  const at = bytes.length;
  return {
    edit: { start: at, end: at, replacement: addedSection + lineEnd + renderNote(note, lineEnd) },
    addedSection,
  };
}

/** Searches bytes for the header; the whole file is parsed only when a code fence or a comment might hide it. */
function findHeader(bytes: Buffer, type: NoteType, options: ParseOptions): Range | undefined {
  const header = `## ${sectionNames[type]}`;
  for (let at = bytes.indexOf(header); at !== -1; at = bytes.indexOf(header, at + 1)) {
    const before = bytes.subarray(0, at);
    const isLineStart = at === 0 || bytes[at - 1] === 10 || (at === 3 && byteText(before) === byteOrderMark);
    const follower = String.fromCharCode(bytes[at + header.length] ?? 10);
    if (!isLineStart || /\w/.test(follower)) continue;
    if (mayHaveOpaqueLines(before)) {
      return parseNotes(bytes, options).sections.find((section) => section.type === type)?.header;
    }
    const newline = bytes.indexOf(10, at);
    return { start: at, end: newline === -1 ? bytes.length : newline + 1 };
  }
  return undefined;
}

function mergeRanges(bytes: Buffer, ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    const isNext = last !== undefined && byteText(bytes.subarray(last.end, range.start)).trim() === "";
    if (isNext) last.end = range.end;
    else merged.push({ ...range });
  }
  return merged;
}

function endsLine(bytes: Buffer, at: number): boolean {
  return at > 0 && bytes[at - 1] === 10;
}

function keptLineEnd(bytes: Buffer, { end }: Range): string {
  if (!endsLine(bytes, end)) return "";
  return bytes[end - 2] === 13 ? "\r\n" : "\n";
}

function lengthOfLineEndBefore(bytes: Buffer, at: number): number {
  if (!endsLine(bytes, at)) return 0;
  return bytes[at - 2] === 13 ? 2 : 1;
}

function lengthOfBlankLineBefore(bytes: Buffer, at: number): number {
  const length = lengthOfLineEndBefore(bytes, at);
  return length > 0 && endsLine(bytes, at - length) ? length : 0;
}
