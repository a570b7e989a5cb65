import type { Learning } from "../../domain/knowledge/learning.js";
import type { StoredNote } from "../../domain/knowledge/note.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { recordDigest } from "../../domain/record-digest.js";
import type { Task } from "../../domain/tasks/task.js";
import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import { listOwnLinks, listOwnRecords, type OwnRecord } from "../building/own-records.js";
import type { ExportSource } from "../export-source.js";
import type { WrittenCounts } from "../layout.js";
import type { TargetFolder } from "../target-folder.js";
import { type NoteItem, parseNote } from "./parse-note.js";
import { itemId } from "./read-notes.js";
import { renderOwn, titleOf } from "./render-own.js";

/** What is here now, by id. */
interface Here {
  notes: ReadonlyMap<string, StoredNote>;
  learnings: ReadonlyMap<string, Learning>;
  tasks: ReadonlyMap<string, Task>;
}

/** Files as they came in, with what has changed here; then a file for each other record. */
export async function writeNotes(source: ExportSource, target: TargetFolder): Promise<WrittenCounts> {
  const { memory } = source;
  const own = await listOwnRecords(source);
  const links = await listOwnLinks(source);
  const byId = <Each extends { id: string }>(list: readonly Each[]) =>
    new Map(list.map((each) => [each.id, each]));
  const here: Here = {
    notes: byId(await memory.notes.list()),
    learnings: byId(await memory.learnings.list({ includesSuperseded: true })),
    tasks: byId(await memory.tasks.list({ includesArchived: true })),
  };
  const titles = new Map(own.map((record) => [record.id, titleOf(record)]));
  const files = source.rows.filter(
    ({ kind, file, foreignId }) => kind === "note" && file === `${foreignId}.md`,
  );
  const relationsOf = (id: string) =>
    links
      .filter(({ from }) => from === id)
      .map(({ to, relation }) => `- ${relation} [[${titles.get(to) ?? source.foreignId(to)}]]`);
  const texts = new Map<string, string>();
  for (const row of files) {
    const text = fileNow(source, row, here);
    const added = relationsOf(row.recordId ?? "");
    if (text !== undefined) texts.set(row.file, [text, ...added].join(added.length > 0 ? "\n" : ""));
  }
  for (const record of own) texts.set(fileOf(record), renderOwn(record, relationsOf(record.id)));
  target.claim(...texts.keys());
  for (const [file, text] of texts) target.text(file, text);
  return countsOf(own, texts.size);
}

function countsOf(own: readonly OwnRecord[], files: number): WrittenCounts {
  const count = (kind: OwnRecord["kind"]) => own.filter((record) => record.kind === kind).length;
  const [learning, task] = [count("learning"), count("task")];
  return { note: files - learning - task, learning, task };
}

function fileOf({ kind, id }: OwnRecord): string {
  return `${kind}s/${id.replace(/[^\w.-]/g, "-")}.md`;
}

/** Undefined if it was deleted here. */
function fileNow(source: ExportSource, row: ForeignRow, here: Here): string | undefined {
  const original = String(row.original ?? "");
  // What waits for a review, or was merged with another, is written as it came.
  if (!row.recordId?.startsWith("mem-")) return original;
  const note = here.notes.get(row.recordId);
  if (note === undefined) return undefined;
  const { items, lines } = parseNote(original);
  const now = lines.map((line, index) => {
    const [item] = items.filter((each) => each.line === index);
    return item === undefined ? line : lineNow(source, row, { item, line }, here);
  });
  const { type, content, tags } = note;
  const isSame = row.digest === undefined || row.digest === recordDigest("note", { type, content, tags });
  if (!isSame) return rewritten(lines, now, items, content);
  const isUntouched = now.every((line, index) => line === lines[index]);
  return isUntouched ? original : now.filter((line) => line !== undefined).join("\n");
}

/** Its front matter, what the note says now, and its lists. */
function rewritten(
  lines: readonly string[],
  now: readonly (string | undefined)[],
  items: readonly NoteItem[],
  content: string,
): string {
  const end = lines[0]?.trim() === "---" ? lines.indexOf("---", 1) : -1;
  const head = lines.slice(0, end + 1);
  const places = [...new Set(items.map(({ line }) => line))];
  const lists = places.flatMap((place) => now[place] ?? []);
  return `${[...head, ...(head.length > 0 ? [""] : []), content, ...(lists.length > 0 ? ["", ...lists] : [])].join("\n")}\n`;
}

/** Undefined if its record was deleted here. */
function lineNow(
  source: ExportSource,
  { foreignId }: ForeignRow,
  { item, line }: { item: NoteItem; line: string },
  { learnings, tasks }: Here,
): string | undefined {
  if (item.kind === "relation") return line;
  const kind = item.kind === "task" ? "task" : "learning";
  const recordId = source.recordId(kind, itemId(foreignId, item));
  if (recordId === undefined || recordId.startsWith("stage-")) return line;
  if (item.kind === "task") {
    const task = tasks.get(recordId);
    if (task === undefined) return undefined;
    const isDone = task.status === "completed";
    const mark = isDone === (item.mark === "x") ? item.mark : isDone ? "x" : " ";
    return mark === item.mark && task.description === item.text
      ? line
      : `${item.indent}[${mark}] ${task.description.replace(/\s+/g, " ")}`;
  }
  const learning = learnings.get(recordId);
  if (learning === undefined) return undefined;
  const statement = statementOf(learning);
  if (statement === item.text.replace(/\s+/g, " ").trim()) return line;
  const category = item.category === "" ? "" : `[${item.category}] `;
  const tags = item.tags.map((tag) => ` #${tag}`).join("");
  const context = item.context === "" ? "" : ` (${item.context})`;
  return `${item.indent}${category}${statement}${tags}${context}`;
}
