import { isoDate } from "../../domain/clock.js";
import { maxNoteBytes } from "../../domain/knowledge/note.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { parseNotes } from "../../notes/parse.js";
import type { ReadOptions } from "../layout.js";
import type { SourceFolder } from "../source-folder.js";

export const notesFile = "memories.md";

/** The notes of a file, and the file itself, in which somebody may have written more than notes. */
export function* readNotes(source: SourceFolder, { onSkipped }: ReadOptions): Generator<ForeignFile> {
  const text = source.findText(notesFile) ?? "";
  const today = isoDate(new Date(source.findModified(notesFile) ?? 0));
  const { blocks, repeated, problems, conflicts } = parseNotes(Buffer.from(text), { today });
  const records: ForeignRecord[] = [{ kind: "kept", id: notesFile, original: text }];
  for (const { note, line } of blocks) {
    const { id, type, content, tags, created } = note;
    const original = { id, memory_type: type, content, tags, created };
    const size = Buffer.byteLength(content);
    if (size > maxNoteBytes) onSkipped(`${notesFile}, line ${line}: note ${id} has ${size} bytes, too many`);
    else if (content.trim() !== "") records.push({ kind: "note", id, line, record: note, original });
  }
  for (const { note, line } of repeated)
    onSkipped(`${notesFile}, line ${line}: another note has the id ${note.id}`);
  for (const { line, message } of [...problems, ...conflicts])
    onSkipped(`${notesFile}, line ${line}: ${message}`);
  yield { file: notesFile, records };
}
