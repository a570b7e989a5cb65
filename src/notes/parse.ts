import { isUtf8 } from "node:buffer";
import { isCalendarDate, isoDate } from "../domain/clock.js";
import {
  type Note,
  type NoteProblem,
  type NoteType,
  notesLimits,
  noteTypes,
  sectionNames,
} from "../domain/knowledge/note.js";
import { timeOfNoteId } from "../domain/knowledge/record-ids.js";
import { opaqueLines } from "../text/markdown/opaque-lines.js";
import { conflictedLines } from "./conflict-markers.js";
import { byteText, type Line, significantLines, withoutHalfLine } from "./lines.js";
import { listTags } from "./render.js";

export interface Range {
  start: number;
  end: number;
}

/** A note and the byte ranges that belong to it; anything in between is prose. */
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
  /** Further notes with the id of an earlier one. */
  repeated: NoteBlock[];
  sections: Section[];
  /** Merge conflicts, with the notes that are unreadable because of them. */
  conflicts: NoteProblem[];
  problems: NoteProblem[];
}

export interface ParseOptions {
  /** The date of notes without one. */
  today: string;
  /** The file's size in bytes, if only its beginning is given. */
  fileBytes?: number | undefined;
}

const noteHeading = /^###[ \t]+(mem-\S*)/;
/** What looks like the heading of a note. */
const likeNoteHeading = /^ {0,3}#{1,6}[ \t]*(mem-[A-Za-z0-9]\S*)/;
const validId = /^mem-[A-Za-z0-9][A-Za-z0-9._-]*$/;
const anyHeading = /^#{1,3}(?:[ \t]|$)/;
const ownComment = /^<!-- (?:origin|ralph): .*-->\s*$/;
const metadataStart = /^\s*<!--\s*tags:/;

/** Parses a notes file; blocks and sections are ranges of its unchanged bytes. */
export function parseNotes(given: Buffer, { today, fileBytes }: ParseOptions): NotesDocument {
  const bytes = fileBytes === undefined ? given : withoutHalfLine(given);
  const { lines, end } = significantLines(byteText(bytes), notesLimits.lines);
  const isAllUtf8 = isUtf8(bytes);
  const conflicted = conflictedLines(bytes, lines);
  const opaque = opaqueLines(lines.filter(({ number }) => !conflicted.has(number)));
  const visible = lines.filter(({ number }) => !opaque.has(number));
  const document: NotesDocument = {
    bytes,
    ...{ blocks: [], repeated: [], sections: [], conflicts: [], problems: [] },
  };
  const seen = new Set<string>();
  /** The notes made unreadable by each conflict, by its first line. */
  const lost = new Map([...conflicted.values()].map((line) => [line, new Set<string>()]));
  let type: NoteType = "pattern";
  let cutAt = fileBytes === undefined && end === bytes.length ? undefined : lines.at(-1)?.number;
  for (const [index, line] of visible.entries()) {
    const sectionType = sectionTypeOf(line.text);
    const conflict = conflicted.get(line.number);
    if (sectionType !== undefined) {
      type = sectionType;
      if (conflict === undefined)
        document.sections.push({ type, header: { start: line.start, end: line.next } });
      continue;
    }
    const id = noteHeading.exec(line.text)?.[1];
    if (conflict !== undefined) {
      if (id !== undefined) lost.get(conflict)?.add(id);
      continue;
    }
    const likeId = likeNoteHeading.exec(line.text)?.[1];
    if (id === undefined && likeId === undefined) continue;
    if (document.blocks.length === notesLimits.notes) {
      cutAt = line.number;
      break;
    }
    const body = bodyBelow(visible, index, conflicted);
    if (id === undefined) {
      // Only a heading with content counts as a note.
      if (body.lines.some(isQuote)) document.problems.push(lookAlike(line, likeId ?? ""));
      continue;
    }
    const { block, problems } = readBlock(bytes, {
      ...{ id, type, heading: line },
      body: body.lines,
      today,
      isAllUtf8,
    });
    if (body.conflict !== undefined && (block === undefined || !isWhole(block))) {
      lost.get(body.conflict)?.add(id);
      continue;
    }
    const isRepeated = seen.has(id);
    if (isRepeated) document.problems.push({ line: line.number, message: `duplicate note id: ${id}` });
    else document.problems.push(...problems);
    if (block === undefined) continue;
    seen.add(id);
    (isRepeated ? document.repeated : document.blocks).push(block);
  }
  for (const [line, ids] of lost)
    document.conflicts.push({ line, message: describeConflict(ids), ids: [...ids] });
  document.conflicts = firstOf(document.conflicts);
  document.problems = firstOf(document.problems);
  if (cutAt !== undefined)
    document.conflicts.push({ line: cutAt, message: describeCut(fileBytes), isCut: true });
  return document;
}

function describeCut(fileBytes = 0): string {
  const { bytes, notes, lines } = notesLimits;
  const megabytes = (size: number) => `${Math.ceil(size / 1024 / 1024)} MB`;
  const own = fileBytes === 0 ? "" : ` (it has ${megabytes(fileBytes)})`;
  return (
    `nothing below is read${own}: at most ${megabytes(bytes)}, ${notes} notes and ${lines} lines of notes are; ` +
    "move older notes to another file"
  );
}

/** There may be as many problems as lines. */
function firstOf(problems: NoteProblem[]): NoteProblem[] {
  const others = problems.slice(notesLimits.problems);
  const [first] = others;
  if (first === undefined) return problems;
  const ids = others.flatMap(({ ids = [] }) => ids);
  const message = `${others.length} more, from here on`;
  return [
    ...problems.slice(0, notesLimits.problems),
    { line: first.line, message, ...(ids.length > 0 && { ids }) },
  ];
}

function describeConflict(ids: ReadonlySet<string>): string {
  if (ids.size === 0) return "git conflict marker: no note can be written until it is resolved";
  return `git conflict marker: not read until it is resolved: ${[...ids].join(", ")}`;
}

function lookAlike({ number }: Line, id: string): NoteProblem {
  return { line: number, message: `not read as a note: write its heading as "### ${id}"` };
}

/** Whether a conflict below cannot contain a part of the note: metadata is its last part. */
function isWhole({ metadata, content }: NoteBlock): boolean {
  return metadata !== undefined && metadata.start > (content[0]?.start ?? 0);
}

/** The lines below a heading: up to the next one, or to a conflict. */
function bodyBelow(
  lines: readonly Line[],
  headingIndex: number,
  conflicted: ReadonlyMap<number, number>,
): { lines: readonly Line[]; conflict: number | undefined } {
  let index = headingIndex + 1;
  for (; index < lines.length; index += 1) {
    const { text, number } = lines[index] as Line;
    const conflict = conflicted.get(number);
    if (conflict !== undefined) return { lines: lines.slice(headingIndex + 1, index), conflict };
    if (anyHeading.test(text) || likeNoteHeading.test(text)) break;
  }
  return { lines: lines.slice(headingIndex + 1, index), conflict: undefined };
}

/** The note type of a section header such as `## Fixes`; text after the name is ignored. */
export function sectionTypeOf(text: string): NoteType | undefined {
  if (!text.startsWith("## ")) return undefined;
  return noteTypes.find((type) => {
    const name = sectionNames[type];
    return text.startsWith(name, 3) && !/^\w/.test(text.slice(3 + name.length));
  });
}

interface RawBlock {
  id: string;
  type: NoteType;
  heading: Line;
  body: readonly Line[];
  today: string;
  /** Whether the whole file is valid UTF-8, so that no line has to be checked. */
  isAllUtf8: boolean;
}

function readBlock(
  bytes: Buffer,
  { id, type, heading, body, today, isAllUtf8 }: RawBlock,
): { block?: NoteBlock; problems: NoteProblem[] } {
  const problemAt = (line: Line, message: string): NoteProblem => ({ line: line.number, message });
  if (!validId.test(id)) return { problems: [problemAt(heading, `invalid note id: ${id}`)] };
  const metadataIndex = body.findIndex((line) => metadataStart.test(line.text));
  const metadata = body[metadataIndex];
  const above = body.slice(0, metadata && metadataIndex).filter(isQuote);
  const below = metadata === undefined ? [] : body.slice(metadataIndex + 1);
  const content = above.length > 0 ? above : firstQuote(below);
  if (content.length === 0)
    return { problems: [problemAt(heading, `note ${id} has no content: content lines start with "> "`)] };
  const ownCount = below.findIndex((line) => !ownComment.test(line.text));
  const fields = metadata && readMetadata(textOf(bytes, metadata));
  const problems: NoteProblem[] = [];
  if (fields !== undefined && fields.created === undefined)
    problems.push(problemAt(heading, `note ${id} has no valid date: write "| created: YYYY-MM-DD"`));
  const foreign = isAllUtf8
    ? undefined
    : content.find(({ start, end }) => !isUtf8(bytes.subarray(start, end)));
  if (foreign !== undefined)
    problems.push(
      problemAt(foreign, `note ${id} is not UTF-8, so that its words are not found: save the file as UTF-8`),
    );
  const lastContent = content.at(-1)?.start ?? 0;
  const stray = below.find((line) => isQuote(line) && line.start > lastContent);
  if (stray !== undefined)
    problems.push(problemAt(stray, `not read: this quote is below the metadata of ${id}`));
  const second = below.find((line) => metadataStart.test(line.text));
  if (second !== undefined) problems.push(problemAt(second, `not read: ${id} has metadata above`));
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
    ownComments: below.slice(0, ownCount === -1 ? undefined : ownCount).map(rangeOf),
  };
  return { block, problems };
}

function isQuote({ text }: Line): boolean {
  return text.startsWith(">");
}

/** The first lines of a quote without a gap. */
function firstQuote(lines: readonly Line[]): Line[] {
  const start = lines.findIndex(isQuote);
  if (start === -1) return [];
  const length = lines.slice(start).findIndex((line) => !isQuote(line));
  return lines.slice(start, length === -1 ? undefined : start + length);
}

function readMetadata(text: string): { tags: string[]; created: string | undefined } {
  const dated = /^\s*<!--\s*tags:(.*)\|\s*created:\s*(\d{4}-\d{2}-\d{2})(?!\d)/.exec(text);
  const created = dated?.[2];
  const tags = dated?.[1] ?? /^\s*<!--\s*tags:(.*)/.exec(text)?.[1]?.split(/\|\s*created:|-->/, 1)[0] ?? "";
  return {
    tags: listTags(tags),
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
