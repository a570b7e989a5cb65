import { isNoteType, type NoteType } from "../../domain/knowledge/note.js";
import { sha256 } from "../../domain/sha256.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { nearestRelation } from "../building/nearest-relation.js";
import { noteRecords } from "../building/note-records.js";
import { openSourceFile } from "../building/source-file.js";
import { isOwnId } from "../own-id.js";
import { RecordFields } from "../record-fields.js";

export const graphFiles = ["memory.jsonl", "memory.json"];

/** Lines that are read before they are passed on. */
const linesAtOnce = 500;

/**
 * Each observation is a note about its entity, each relation a link and a note that says it in words. An entity itself is kept
 * for writing it back.
 */
export function* readGraph(path: string): Generator<ForeignFile> {
  const { source, file } = openSourceFile(path, graphFiles);
  let records: ForeignRecord[] = [];
  let lines = 0;
  for (const { value, line, place } of source.jsonLines(file)) {
    records.push(...readLine(value, line, place));
    lines += 1;
    if (lines % linesAtOnce !== 0) continue;
    yield { file, records };
    records = [];
  }
  yield { file, records };
}

function readLine(value: unknown, line: number, place: string): ForeignRecord[] {
  const fields = new RecordFields(value, place);
  return fields.oneOf("type", ["entity", "relation"]) === "entity"
    ? readEntity(fields, value, line)
    : readRelation(fields, value, line);
}

function readEntity(fields: RecordFields, original: unknown, line: number): ForeignRecord[] {
  const name = fields.text("name");
  const entityType = fields.findText("entityType") ?? "";
  const observations = fields.texts("observations").filter((text) => text.trim() !== "");
  const isOwn = isOwnId(name);
  const tags = [...(isOwn ? [] : [name]), entityType].filter(Boolean);
  const about = { type: noteTypeOf(entityType), tags, line };
  // The first one stands for the entity where others relate to it.
  const notes = observations.flatMap((text, index) =>
    noteRecords({ ...about, id: observationId(name, text, index), text: aboutEntity(name, text) }).map(
      (record) => (isOwn ? { ...record, exportedFrom: { id: name, texts: [text] } } : record),
    ),
  );
  const bare = { ...about, id: name, text: entityType === "" ? name : `${name} (${entityType})` };
  const whole = isOwn && { exportedFrom: { id: name, texts: observations } };
  return [
    { kind: "kept", id: name, line, original, ...whole },
    ...(notes.length > 0 ? notes : noteRecords(bare)),
  ];
}

export function observationId(name: string, text: string, index: number): string {
  return index === 0 ? name : `${name} ${sha256(text).slice(0, 12)}`;
}

/** Says what an observation is about, as an observation alone does not. */
export function aboutEntity(name: string, text: string): string {
  return isOwnId(name) || text.toLowerCase().includes(name.toLowerCase()) ? text : `${name}: ${text}`;
}

function readRelation(fields: RecordFields, original: unknown, line: number): ForeignRecord[] {
  const [from, to, word] = [fields.text("from"), fields.text("to"), fields.text("relationType")];
  const id = `${from} ${word} ${to}`;
  const text = `${from} ${word.replaceAll("_", " ")} ${to}`;
  const link: ForeignRecord = {
    ...{ kind: "link", id, line, original },
    record: { from, to, relation: nearestRelation(word) },
  };
  if (isOwnId(from) && isOwnId(to)) return [link];
  return [link, ...noteRecords({ id, type: "context", text, tags: [from, to], line })];
}

function noteTypeOf(entityType: string): NoteType {
  const word = entityType.toLowerCase();
  if (isNoteType(word)) return word;
  return /\b(?:bug|bugfix|solution)\b/.test(word) ? "fix" : "context";
}
