import { type Note, type NoteChange, type NoteType, sectionNames } from "../domain/knowledge/note.js";
import { mayHaveOpaqueLines } from "../text/markdown/opaque-lines.js";
import { byteOrderMark, byteText, lineEndOf } from "./lines.js";
import { matchLines } from "./merge-lines.js";
import { type NoteBlock, type NotesDocument, type ParseOptions, parseNotes, type Range } from "./parse.js";
import { metadataLine, quoteLines, renderNote, renderTags, splitAtTags } from "./render.js";

/** A byte range to replace. */
export interface Edit extends Range {
  replacement: string | Buffer;
}

export interface Insertion {
  edit: Edit;
  /** The section header that was added, if it was missing. */
  addedSection: string | undefined;
}

/** Inserts a new note below its section header, or below a new header at the end. */
export function insertNote(bytes: Buffer, note: Note, options: ParseOptions): Insertion {
  return insertNotes(bytes, note.type, [note], options);
}

/** Like `insertNote` for several notes of one type, the first of them on top. */
export function insertNotes(
  bytes: Buffer,
  type: NoteType,
  notes: readonly Note[],
  options: ParseOptions,
): Insertion {
  const render = (lineEnd: string) => notes.map((note) => Buffer.from(renderNote(note, lineEnd)));
  return insertBlocks(bytes, type, render, options);
}

/** Blocks with a blank line above each of them; each ends with a line end. */
type RenderBlocks = (lineEnd: string) => Buffer[];

/** Inserts blocks below their section header. */
function insertBlocks(bytes: Buffer, type: NoteType, render: RenderBlocks, options: ParseOptions): Insertion {
  const header = findHeader(bytes, type, options);
  if (header === undefined) return appendSection(bytes, type, render);
  const at = header.end;
  const edit = (...parts: (string | Buffer)[]) => ({
    edit: { start: at, end: at, replacement: concat(parts) },
    addedSection: undefined,
  });
  if (endsLine(bytes, at)) {
    const lineEnd = keptLineEnd(bytes, header);
    return edit(...apart(render(lineEnd), lineEnd));
  }
  // If a header without a line end is the last line, the file still has none at its end afterwards. If it ends with half a line end, the
  // other half is put above the last block, so that removing the block restores the first half.
  const isHalf = bytes[at - 1] === 13;
  const lineEnd = isHalf ? "\r\n" : lineEndOf(byteText(bytes));
  const rest = isHalf ? "\n" : lineEnd;
  const blocks = render(lineEnd);
  const last = withoutLineEnd(blocks.pop() ?? Buffer.alloc(0));
  return edit(rest, ...apart(blocks, lineEnd), rest, last);
}

/** With a blank line above each. */
function apart(blocks: readonly Buffer[], lineEnd: string): (string | Buffer)[] {
  return blocks.flatMap((block) => [lineEnd, block]);
}

function appendSection(bytes: Buffer, type: NoteType, render: RenderBlocks): Insertion {
  const text = byteText(bytes);
  const lineEnd = lineEndOf(text);
  const isEmpty = text === "" || text === byteOrderMark;
  const gap = isEmpty ? "" : endsLine(bytes, bytes.length) ? lineEnd : lineEnd + lineEnd;
  const addedSection = `${gap}## ${sectionNames[type]}${lineEnd}`;
  const at = bytes.length;
  return {
    edit: { start: at, end: at, replacement: concat([addedSection, ...apart(render(lineEnd), lineEnd)]) },
    addedSection,
  };
}

function concat(parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

function withoutLineEnd(block: Buffer): Buffer {
  return block.subarray(0, block.length - lengthOfLineEndBefore(block, block.length));
}

export interface Removal {
  edits: Edit[];
  /** Whether the section that was added for the note is removed too. */
  removesSection: boolean;
}

/** Removes a note and the blank line above it; prose between its lines is kept. An empty section that Ralph added is removed too. */
export function removeNote(
  { bytes }: NotesDocument,
  block: NoteBlock,
  addedSection: string | undefined,
): Removal {
  const [first, ...others] = mergeRanges(bytes, ownRanges(block));
  if (first === undefined) return { edits: [], removesSection: false };
  const blankLength = lengthOfBlankLineBefore(bytes, first.start);
  let start = first.start - blankLength;
  const isAtEnd = others.length === 0 && first.end === bytes.length;
  // At most as long as the blank line's own: a carriage return before it may be the author's.
  if (isAtEnd && !endsLine(bytes, first.end))
    start -= Math.min(lengthOfLineEndBefore(bytes, start), blankLength || 2);
  const section =
    others.length === 0 ? startOfEmptySection(bytes, start, first.end, addedSection) : undefined;
  const edits = [{ start: section ?? start, end: first.end }, ...others].map((range) => ({
    ...range,
    replacement: "",
  }));
  return { edits, removesSection: section !== undefined };
}

function ownRanges({ heading, content, metadata, ownComments }: NoteBlock): Range[] {
  return [heading, ...content, ...(metadata ? [metadata] : []), ...ownComments].sort(
    (a, b) => a.start - b.start,
  );
}

/** The start of an added section, if it directly precedes and only a heading or the end of the file follows. */
function startOfEmptySection(
  bytes: Buffer,
  end: number,
  next: number,
  added: string | undefined,
): number | undefined {
  if (added === undefined) return undefined;
  const start = end - Buffer.byteLength(added);
  if (start < 0 || bytes.toString("utf8", start, end) !== added) return undefined;
  const rest = byteText(bytes.subarray(next));
  const isEmpty = rest === "" || /^\r?\n?#{1,2} /.test(rest);
  const keepsLines = rest === "" || start === 0 || endsLine(bytes, start) || /^\r?\n/.test(rest);
  return isEmpty && keepsLines ? start : undefined;
}

export interface Change extends Removal {
  /** The section header that was added, if it was missing. */
  addedSection: string | undefined;
}

/** Changes a note in place; if its type changes, moves it below the new section's header. */
export function changeNote(
  document: NotesDocument,
  block: NoteBlock,
  change: NoteChange,
  addedSection: string | undefined,
  options: ParseOptions,
): Change {
  const { bytes } = document;
  const edits = changeInPlace(bytes, block, change);
  if (change.type === undefined || change.type === block.note.type) {
    return { edits, removesSection: false, addedSection: undefined };
  }
  // The note moves unchanged, with anything its author added to its lines.
  const moved = ownRanges(block).map((range) => changedRange(bytes, range, edits));
  const insertion = insertBlocks(
    bytes,
    change.type,
    (lineEnd) => [withLineEnd(Buffer.concat(moved), lineEnd)],
    options,
  );
  const removal = removeNote(document, block, addedSection);
  return { ...removal, edits: [...removal.edits, insertion.edit], addedSection: insertion.addedSection };
}

/** Replaces only the tags; anything else in the comment is kept. */
function changeTags(bytes: Buffer, { start, end }: Range, tags: readonly string[]): Edit {
  const { before, tags: old } = splitAtTags(byteText(bytes.subarray(start, end)));
  const at = start + before.length;
  return { start: at, end: at + old.length, replacement: renderTags(tags) };
}

function changedRange(bytes: Buffer, { start, end }: Range, edits: readonly Edit[]): Buffer {
  const own = edits.filter(
    (edit) => edit.start >= start && edit.end <= end && !(edit.start === edit.end && edit.end === start),
  );
  const shifted = own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return Buffer.concat(applyEdits(bytes.subarray(start, end), shifted));
}

function withLineEnd(block: Buffer, lineEnd: string): Buffer {
  return endsLine(block, block.length) ? block : concat([block, lineEnd]);
}

function changeInPlace(bytes: Buffer, block: NoteBlock, { content, tags }: NoteChange): Edit[] {
  const lineEnd = lineEndOf(byteText(bytes));
  const edits: Edit[] = [];
  if (content !== undefined) edits.push(...changeContent(bytes, block, content, lineEnd));
  if (tags !== undefined) {
    if (block.metadata) edits.push(changeTags(bytes, block.metadata, tags));
    else
      edits.push(addMetadata(bytes, block, Buffer.from(metadataLine({ tags, created: block.note.created }))));
  }
  return edits;
}

/** Adds a line of metadata, given without its line end, below the content. */
export function addMetadata(bytes: Buffer, { content, heading }: NoteBlock, line: Buffer): Edit {
  const lineEnd = lineEndOf(byteText(bytes));
  const { end } = content.at(-1) ?? heading;
  const replacement = concat(endsLine(bytes, end) ? [line, lineEnd] : [lineEnd, line]);
  return { start: end, end, replacement };
}

/** Replaces only changed lines: others keep their author's spelling, such as `> ` for an empty one. */
function changeContent(
  bytes: Buffer,
  { note, content: old }: NoteBlock,
  content: string,
  lineEnd: string,
): Edit[] {
  const added = quoteLines(content);
  const last = old.at(-1);
  // At the end of the file, the last line still has no line end.
  const isOpen = last !== undefined && !endsLine(bytes, last.end);
  const matches = isOpen ? undefined : matchLines(content.split("\n"), note.content.split("\n"));
  const edits: Edit[] = [];
  let [from, fromOld] = [0, 0];
  const replaceUpTo = (to: number, toOld: number) => {
    const text = added
      .slice(from, to)
      .map((line) => line + lineEnd)
      .join("");
    const [first, ...others] = old.slice(fromOld, toOld);
    const next = old[toOld];
    if (first !== undefined) {
      edits.push({ ...first, replacement: isOpen ? text.slice(0, -lineEnd.length) : text });
      edits.push(...others.map((range) => ({ ...range, replacement: "" })));
    } else if (text !== "" && next !== undefined)
      edits.push({ ...next, replacement: concat([text, bytes.subarray(next.start, next.end)]) });
    else if (text !== "" && last !== undefined)
      edits.push({ start: last.end, end: last.end, replacement: text });
    [from, fromOld] = [to + 1, toOld + 1];
  };
  for (const [index, oldIndex] of matches?.entries() ?? []) if (oldIndex !== -1) replaceUpTo(index, oldIndex);
  replaceUpTo(added.length, old.length);
  return edits;
}

/** The parts of the changed file, in order. Edits must not overlap. */
export function applyEdits(bytes: Buffer, edits: readonly Edit[]): Buffer[] {
  const parts: Buffer[] = [];
  let position = 0;
  for (const { start, end, replacement } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(
      bytes.subarray(position, start),
      typeof replacement === "string" ? Buffer.from(replacement) : replacement,
    );
    position = end;
  }
  parts.push(bytes.subarray(position));
  return parts;
}

/** Searches the bytes for the header; parses the whole file only if a code fence or comment might contain it. */
function findHeader(bytes: Buffer, type: NoteType, options: ParseOptions): Range | undefined {
  const name = sectionNames[type];
  const mark = "## ";
  // Searches for its name, because every note begins with the same mark.
  for (let found = bytes.indexOf(name); found !== -1; found = bytes.indexOf(name, found + 1)) {
    const at = found - mark.length;
    if (at < 0 || bytes.toString("latin1", at, found) !== mark) continue;
    const before = bytes.subarray(0, at);
    const isLineStart = at === 0 || bytes[at - 1] === 10 || (at === 3 && byteText(before) === byteOrderMark);
    const follower = String.fromCharCode(bytes[found + name.length] ?? 10);
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
