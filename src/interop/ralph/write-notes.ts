import { isoDate } from "../../domain/clock.js";
import { noteTypes, type StoredNote } from "../../domain/knowledge/note.js";
import { recordDigest } from "../../domain/record-digest.js";
import { applyEdits, changeNote, type Edit, insertNotes, removeNote } from "../../notes/edit.js";
import { parseNotes } from "../../notes/parse.js";
import { renderTemplate } from "../../notes/render.js";
import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import type { ExportSource } from "../export-source.js";
import type { TargetFolder } from "../target-folder.js";
import { notesFile } from "./read-notes.js";

/** The file as it was imported, or a new one, with what was deleted, changed and added here; the rest of it stays. */
export async function writeNotes(source: ExportSource, target: TargetFolder): Promise<number> {
  const notes = await source.memory.notes.list();
  const kept = source.rows.find(({ kind, foreignId }) => kind === "kept" && foreignId === notesFile);
  const options = { today: isoDate(source.now) };
  let bytes = Buffer.from(typeof kept?.original === "string" ? kept.original : renderTemplate());
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
