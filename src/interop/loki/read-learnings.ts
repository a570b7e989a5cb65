import { isObject } from "../../domain/shape.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import type { SourceFolder } from "../source-folder.js";
import { foreignIdOf, type KnowledgeKind, learningFrom } from "./learning-of.js";
import { folders } from "./places.js";
import { openList } from "./read-semantic.js";

/** What was learned from errors, a file for each day or kind; entries that say nothing are only kept. */
export function* readLearnings(source: SourceFolder): Generator<ForeignFile> {
  for (const name of source.list(folders.learnings)) {
    const file = `${folders.learnings}/${name}`;
    const fallbackTime = timeIn(name) ?? source.findModified(file) ?? new Date(0).toISOString();
    const kind = kindOf(name);
    const recordOf = (entry: unknown, index: number, line?: number): ForeignRecord => {
      const place = source.place(file, line);
      const isEmpty = !saysSomething(entry);
      if (isEmpty) return { kind: "kept", id: `${file} ${index}`, original: entry };
      // The same may be learned again and again.
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
      const document = openList(source, file, ["learnings", "entries"]);
      if (document === undefined) continue;
      const records = document.list.map((entry, index) => recordOf(entry, index));
      yield { file, records: [{ kind: "kept", id: file, original: document.rest }, ...records] };
    }
  }
}

export function kindOf(name: string): KnowledgeKind {
  return /mistake|error|anti|\d{4}-\d{2}-\d{2}/.test(name) ? "learning" : "pattern";
}

/** The first line of a file says when it was made, and nothing else. */
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
