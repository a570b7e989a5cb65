import type { Learning } from "../../domain/knowledge/learning.js";
import type { ExportSource } from "../export-source.js";
import type { TargetFolder } from "../target-folder.js";
import { folders, style } from "./places.js";
import { kindOf } from "./read-learnings.js";
import { renderEntry, writeList } from "./write-semantic.js";

/** The files of what was learned from errors, as they came in; one's own learnings are among the patterns. */
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
    else writeList(source, target, { path: file, name: "learnings", list });
}
