import { basename } from "node:path";
import { isObject } from "../../domain/shape.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { nearestRelation } from "../building/nearest-relation.js";
import { openSourceFile } from "../building/source-file.js";
import type { ReadOptions } from "../layout.js";
import { RecordFields, unusable } from "../record-fields.js";
import { SkippedParts } from "../skipped-parts.js";
import { factRecord, lessonRecord, memoryRecord } from "./learning-records.js";
import { actionRecord, sessionRecord } from "./task-records.js";

export const storeFiles = ["standalone.json", "export.json"];

type Reader = (fields: RecordFields, original: unknown) => ForeignRecord[];

/** By the name of the list in an export, and of the table in the file without a server. */
const readers: ReadonlyMap<string, Reader> = new Map([
  ["memories", memoryRecord],
  ["mem:memories", memoryRecord],
  ["lessons", lessonRecord],
  ["mem:lessons", lessonRecord],
  ["insights", lessonRecord],
  ["semanticMemories", factRecord],
  ["actions", actionRecord],
  ["mem:actions", actionRecord],
  ["actionEdges", edgeRecord],
]);

/** What says nothing about the project, or is derived from the rest. */
const derived = ["version", "exportedAt", "pagination", "accessLogs", "profiles", "signals", "sentinels"];

export function* readExport(path: string, options: ReadOptions): Generator<ForeignFile> {
  const { source, file } = openSourceFile(path, storeFiles);
  const value = source.findJson(file);
  const place = source.place(file);
  const isStore = isObject(value) && Object.keys(value).some((name) => readers.has(name));
  if (!isStore) throw unusable(place, "holds no memories of agentmemory");
  const skipped = new SkippedParts();
  const project = basename(options.surroundings.root);
  const isWanted = (fields: RecordFields) => {
    const reason = reasonToSkip(fields, project, new Date().toISOString());
    if (reason !== undefined) skipped.add(file, reason);
    return reason === undefined;
  };
  for (const [name, list] of Object.entries(value)) {
    const read = readers.get(name);
    if (read !== undefined)
      yield { file, records: itemsOf(list, `${place}, ${name}`).flatMap(readIf(read, isWanted)) };
  }
  yield { file, records: readSessions(value, place, isWanted) };
  for (const name of Object.keys(value))
    if (!readers.has(name) && !isSessionPart(name) && !derived.includes(name)) skipped.add(file, `"${name}"`);
  skipped.list().forEach(options.onSkipped);
}

interface Item {
  original: unknown;
  fields: RecordFields;
}

function itemsOf(list: unknown, place: string): Item[] {
  if (!isObject(list) && !Array.isArray(list)) return [];
  return Object.entries(list).map(([key, original]) => ({
    original,
    fields: new RecordFields(original, `${place} ${Array.isArray(list) ? Number(key) + 1 : key}`),
  }));
}

function readIf(read: Reader, isWanted: (fields: RecordFields) => boolean) {
  return ({ fields, original }: Item) => (isWanted(fields) ? read(fields, original) : []);
}

/** An older version, something deleted or to be forgotten, or of another project. */
function reasonToSkip(fields: RecordFields, project: string, now: string): string | undefined {
  if (fields.findBoolean("isLatest") === false) return "older versions";
  if (fields.findBoolean("deleted")) return "deleted records";
  const until = fields.findTime("forgetAfter");
  if (until !== undefined && until < now) return "records that were to be forgotten by now";
  const own = fields.findText("project");
  if (own === undefined || own === "" || basename(own) === project) return undefined;
  return `records of the project ${own}`;
}

const sessionParts = ["sessions", "summaries", "observations", "mem:sessions", "mem:summaries"];

function isSessionPart(name: string): boolean {
  return sessionParts.includes(name);
}

/** Each with its summary and what was observed in it. */
function readSessions(
  store: Record<string, unknown>,
  place: string,
  isWanted: (fields: RecordFields) => boolean,
): ForeignRecord[] {
  const items = (name: string) => itemsOf(store[name] ?? store[`mem:${name}`], `${place}, ${name}`);
  const summaries = new Map(items("summaries").map((item) => [item.fields.text("sessionId"), item]));
  const observed = isObject(store.observations) ? store.observations : {};
  return items("sessions").flatMap(({ fields, original }) => {
    if (!isWanted(fields)) return [];
    const id = fields.text("id");
    const summary = summaries.get(id);
    const list = observed[id];
    const observations = itemsOf(list, `${place}, observations of ${id}`);
    const whole = { session: original, summary: summary?.original, observations: list };
    return [
      sessionRecord(fields, {
        summary: summary?.fields,
        observations: observations.map((item) => item.fields),
        original: whole,
      }),
    ];
  });
}

function edgeRecord(fields: RecordFields): ForeignRecord[] {
  const [from, to] = [fields.text("sourceActionId"), fields.text("targetActionId")];
  const word = fields.findText("type") ?? "related";
  const relation = nearestRelation(word);
  return [{ kind: "link", id: `${from} ${word} ${to}`, record: { from, to, relation } }];
}
