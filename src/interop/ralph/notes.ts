import { isoDate } from "../../domain/clock.js";
import { maxNoteBytes, noteTypes, type StoredNote } from "../../domain/knowledge/note.js";
import { recordDigest } from "../../domain/record-digest.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { applyEdits, changeNote, type Edit, insertNotes, removeNote } from "../../notes/edit.js";
import { parseNotes } from "../../notes/parse.js";
import { renderTemplate } from "../../notes/render.js";
import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import type { ExportSource } from "../export-source.js";
import type { ReadOptions } from "../layout.js";
import type { SourceFolder } from "../source-folder.js";
import type { TargetFolder } from "../target-folder.js";

export const notesFile = "memories.md";

/** The notes of a file, and the file itself, which may contain more than notes. */
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

/** The imported file, or a new one, with later deletions, changes and additions applied; the rest is kept. */
export async function writeNotes(source: ExportSource, target: TargetFolder): Promise<number> {
  const notes = await source.memory.notes.list();
  const kept = source.kept(notesFile);
  const options = { today: isoDate(source.now) };
  let bytes = Buffer.from(typeof kept === "string" ? kept : renderTemplate());
  const edit = (edits: readonly Edit[]) => {
    bytes = Buffer.concat(applyEdits(bytes, edits));
  };
  const byId = new Map(notes.map((note) => [note.id, note]));
  for (const row of source.rows.filter(({ kind }) => kind === "note")) {
    const note = byId.get(row.recordId ?? "");
    if (row.recordId?.startsWith("stage-") || (note !== undefined && !isChanged(row, note))) continue;
    const document = parseNotes(bytes, options);
    const block = document.blocks.find((each) => each.note.id === row.foreignId);
    if (block === undefined) continue;
    if (note === undefined) edit(removeNote(document, block, undefined).edits);
    else {
      const { type, content, tags } = note;
      edit(changeNote(document, block, { type, content, tags }, undefined, options).edits);
    }
  }
  const own = notes.filter(({ id }) => source.originalOf("note", id) === undefined);
  for (const type of noteTypes) {
    const added = own.filter((note) => note.type === type);
    if (added.length > 0) edit([insertNotes(bytes, type, added, options).edit]);
  }
  target.text(notesFile, bytes.toString("utf8"));
  return parseNotes(bytes, options).blocks.length;
}

function isChanged({ digest }: ForeignRow, { type, content, tags }: StoredNote): boolean {
  return digest !== recordDigest("note", { type, content, tags });
}
