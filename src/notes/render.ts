import { type Note, noteTypes, sectionNames } from "../domain/knowledge/note.js";
import { renderTags } from "./metadata-tags.js";
import type { NotesDocument } from "./parse.js";

/** Reproduces the parsed file byte for byte. */
export function renderNotes({ bytes, blocks, sections }: NotesDocument): Buffer {
  const pieces: Buffer[] = [];
  let position = 0;
  const ranges = [
    ...blocks.flatMap(({ heading, content, metadata }) => [
      heading,
      ...content,
      ...(metadata ? [metadata] : []),
    ]),
    ...sections.map(({ header }) => header),
  ].sort((a, b) => a.start - b.start);
  for (const { start, end } of ranges) {
    pieces.push(bytes.subarray(position, start), bytes.subarray(start, end));
    position = end;
  }
  pieces.push(bytes.subarray(position));
  return Buffer.concat(pieces);
}

/** One note in the file's format, including the final line end. */
export function renderNote(note: Note, lineEnd = "\n"): string {
  const lines = [`### ${note.id}`, ...quoteLines(note.content), metadataLine(note)];
  return lines.map((line) => line + lineEnd).join("");
}

/** Quotes every line, so that content cannot pass for a heading, a comment or a conflict marker. */
export function quoteLines(content: string): string[] {
  return content.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
}

export function metadataLine({ tags, created }: Pick<Note, "tags" | "created">): string {
  return `<!-- tags:${renderTags(tags)} | created: ${created} -->`;
}

/** A new, empty notes file. */
export function renderTemplate(): string {
  return ["# Memories", ...noteTypes.map((type) => `## ${sectionNames[type]}`)].join("\n\n").concat("\n");
}
