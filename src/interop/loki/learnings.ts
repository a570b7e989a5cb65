import type { Learning } from "../../domain/knowledge/learning.js";
import { isObject } from "../../domain/shape.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import type { ExportSource } from "../export-source.js";
import type { SourceFolder } from "../source-folder.js";
import type { TargetFolder } from "../target-folder.js";
import {
  foreignIdOf,
  type KnowledgeKind,
  learningFrom,
  openList,
  renderEntry,
  writeList,
} from "./learning-entry.js";
import { folders, style } from "./places.js";

const listNames = ["learnings", "entries"];

/** Learnings from errors, a file for each day or kind; empty entries are stored without a record. */
export function* readLearnings(source: SourceFolder): Generator<ForeignFile> {
  for (const name of source.list(folders.learnings)) {
    const file = `${folders.learnings}/${name}`;
    const fallbackTime = timeIn(name) ?? source.findModified(file) ?? new Date(0).toISOString();
    const kind = kindOf(name);
    const recordOf = (entry: unknown, index: number, line?: number): ForeignRecord => {
      const place = source.place(file, line);
      const isEmpty = !saysSomething(entry);
      if (isEmpty) return { kind: "kept", id: `${file} ${index}`, original: entry };
      // The same lesson may be learned repeatedly.
      const id = `${name} ${index} ${foreignIdOf(entry)}`;
      return {
        ...{ kind: "learning", id, original: entry, ...(line !== undefined && { line }) },
        record: learningFrom(entry, { kind, place, fallbackTime }),
      };
    };
    if (name.endsWith(".jsonl")) {
      let index = 0;
      for (const { value, line } of source.jsonLines(file)) {
        yield { file, records: [recordOf(value, index, line)] };
        index += 1;
      }
    } else if (name.endsWith(".json")) {
      const document = openList(source, file, listNames);
      if (document === undefined) continue;
      const records = document.list.map((entry, index) => recordOf(entry, index));
      yield { file, records: [{ kind: "kept", id: file, original: document.rest }, ...records] };
    }
  }
}

function kindOf(name: string): KnowledgeKind {
  return /mistake|error|anti|\d{4}-\d{2}-\d{2}/.test(name) ? "learning" : "pattern";
}

/** The first line of a file may contain only its creation time. */
function saysSomething(entry: unknown): boolean {
  if (typeof entry === "string") return entry.trim() !== "";
  if (!isObject(entry)) return false;
  const { version, created, ...rest } = entry;
  const isHeader = version !== undefined && created !== undefined && Object.keys(rest).length === 0;
  return !isHeader && Object.values(rest).some((value) => typeof value === "string" && value.trim() !== "");
}

function timeIn(name: string): string | undefined {
  const date = /\d{4}-\d{2}-\d{2}/.exec(name)?.[0];
  const time = new Date(date ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Writes imported learnings files back; this project's learnings are among the patterns. */
export async function writeLearnings(source: ExportSource, target: TargetFolder): Promise<void> {
  const learnings = new Map<string, Learning>();
  for (const learning of await source.memory.learnings.list({ includesSuperseded: true }))
    learnings.set(learning.id, learning);
  const files = new Map<string, unknown[]>();
  const rows = source.rows.filter(({ file }) => file.startsWith(`${folders.learnings}/`));
  for (const row of rows) {
    const list = files.get(row.file) ?? [];
    files.set(row.file, list);
    if (row.kind === "kept" && row.foreignId !== row.file) list.push(row.original);
    if (row.kind !== "learning") continue;
    const learning = learnings.get(row.recordId ?? "");
    const isGone = learning === undefined && row.recordId?.startsWith("learn-");
    if (learning !== undefined) list.push(renderEntry(row, learning, kindOf(row.file)));
    else if (!isGone) list.push(row.original);
  }
  for (const [file, list] of files)
    if (file.endsWith(".jsonl")) target.lines(file, list, style);
    else writeList(source, target, file, listNames, list);
}
