import { maxNoteBytes, type NoteType } from "../../domain/knowledge/note.js";
import type { ForeignRecord } from "../../memory/imports/foreign-record.js";

export interface NewNotes {
  id: string;
  type: NoteType;
  text: string;
  /** Stands above each part of a text that is too long for one note. */
  title?: string | undefined;
  tags: readonly string[];
  /** An ISO timestamp or date. */
  created?: string | undefined;
  line?: number | undefined;
  /** By default the text. */
  original?: unknown;
}

/** Marks of secrets can be longer than the secrets. */
const spareBytes = 1024;

/** A text as a note, or as several if it is too long for one; none if it is empty. */
export function noteRecords({ id, type, text, title = "", tags, created, line, original }: NewNotes) {
  const most = maxNoteBytes - spareBytes - Buffer.byteLength(title);
  const parts = partsOf(text, most);
  return parts.map((part, index): ForeignRecord & { kind: "note" } => {
    const content = title === "" ? part : `${title}\n${part}`;
    return {
      kind: "note",
      id: index === 0 ? id : `${id} (${index + 1})`,
      ...(line !== undefined && { line }),
      original: index === 0 ? (original ?? text) : part,
      record: { type, content, tags, ...(created !== undefined && { created: created.slice(0, 10) }) },
    };
  });
}

/** Cut between paragraphs, or between lines, or words, or anywhere. */
export function partsOf(text: string, mostBytes: number): string[] {
  const plain = text.replaceAll("\0", "").trim();
  if (plain === "") return [];
  if (Buffer.byteLength(plain) <= mostBytes) return [plain];
  for (const separator of ["\n\n", "\n", " "]) {
    const pieces = plain.split(separator);
    if (pieces.length > 1)
      return joinedPieces(pieces, separator, mostBytes).flatMap((part) => partsOf(part, mostBytes));
  }
  const half = Math.ceil(plain.length / 2);
  return [plain.slice(0, half), plain.slice(half)].flatMap((part) => partsOf(part.toWellFormed(), mostBytes));
}

/** As many pieces to a part as fit; one that is too long by itself is a part. */
function joinedPieces(pieces: readonly string[], separator: string, mostBytes: number): string[] {
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    const size = Buffer.byteLength(piece) + separator.length;
    if (bytes + size > mostBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(piece);
    bytes += size;
  }
  return parts.map((part) => part.join(separator));
}
