import type { StoredNote } from "../../domain/knowledge/note.js";
import { recordDigest } from "../../domain/record-digest.js";
import { isObject } from "../../domain/shape.js";
import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import { isStillLinked, listLinkNames, listOwnLinks, listOwnRecords } from "../building/own-records.js";
import type { ExportSource } from "../export-source.js";
import type { WrittenCounts } from "../layout.js";
import type { TargetFolder } from "../target-folder.js";
import { observationId } from "./read-graph.js";

const file = "memory.jsonl";

/** Entities and relations as they came in, without what was deleted here; then an entity for each other record. */
export async function writeGraph(source: ExportSource, target: TargetFolder): Promise<WrittenCounts> {
  target.claim(file);
  const notes = new Map((await source.memory.notes.list()).map((note) => [note.id, note]));
  const linked = await listLinkNames(source);
  const known = source.rows.flatMap((row): unknown[] => {
    if (row.kind === "kept") return entityOf(source, row, notes);
    return row.kind === "link" && isStillLinked(row, linked) ? [row.original] : [];
  });
  const names = new Set(source.rows.flatMap((row) => (row.kind === "kept" ? [nameOf(row)] : [])));
  const own = (await listOwnRecords(source)).filter(({ id }) => !names.has(id));
  const entities = own.map(({ id, kind, type, statements }) => ({
    ...{ type: "entity", name: id, entityType: kind === "note" ? type : kind, observations: statements },
  }));
  const relations = (await listOwnLinks(source)).map(({ from, to, relation }) => ({
    ...{ type: "relation", from: source.foreignId(from), to: source.foreignId(to), relationType: relation },
  }));
  target.lines(file, [...known, ...entities, ...relations]);
  const records = { note: 0, learning: 0, task: 0 };
  for (const { kind } of own) records[kind] += 1;
  records.note += source.rows.filter(({ kind }) => kind === "kept").length;
  return { ...records, link: relations.length + source.rows.filter(({ kind }) => kind === "link").length };
}

/** An entity with its observations as they are here now; none if all of them were deleted. */
function entityOf(source: ExportSource, row: ForeignRow, notes: ReadonlyMap<string, StoredNote>): unknown[] {
  const { original, foreignId } = row;
  if (!isObject(original) || !Array.isArray(original.observations)) return [original];
  const before = original.observations as string[];
  const name = nameOf(row);
  const told = before.filter((text) => text.trim() !== "");
  const observations = before.flatMap((text) => {
    // Of several entities with one name, each has a first observation.
    const index = told.indexOf(text);
    const id = index === 0 ? foreignId : observationId(name, text, index);
    return observationNow(source, { id, name, text }, notes);
  });
  if (before.length > 0 && observations.length === 0) return [];
  const isSame = observations.every((text, index) => text === before[index]);
  return [isSame && observations.length === before.length ? original : { ...original, observations }];
}

function nameOf({ original, foreignId }: ForeignRow): string {
  return isObject(original) && typeof original.name === "string" ? original.name : foreignId;
}

function observationNow(
  source: ExportSource,
  { id, name, text }: { id: string; name: string; text: string },
  notes: ReadonlyMap<string, StoredNote>,
): string[] {
  const noteId = source.recordId("note", id);
  const row = noteId === undefined ? undefined : source.originalOf("note", noteId);
  // What waits for a review, or was merged with another, is written as it came.
  if (noteId === undefined || !noteId.startsWith("mem-") || row?.foreignId !== id) return [text];
  const note = notes.get(noteId);
  if (note === undefined) return [];
  const { type, content, tags } = note;
  if (recordDigest("note", { type, content, tags }) === row.digest) return [text];
  return [content.startsWith(`${name}: `) ? content.slice(name.length + 2) : content];
}
