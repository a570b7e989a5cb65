import { statSync } from "node:fs";
import { basename, join } from "node:path";
import type { LearningType } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { sha256 } from "../../domain/sha256.js";
import { isObject, isText } from "../../domain/shape.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { nearestRelation } from "../building/nearest-relation.js";
import { noteRecords } from "../building/note-records.js";
import { contentOf, newLearning } from "../new-learning.js";
import { newTask } from "../new-task.js";
import { isOwnId } from "../own-id.js";
import { RecordFields } from "../record-fields.js";
import { openSource, type SourceFolder } from "../source-folder.js";
import { type NoteItem, type ParsedNote, parseNote } from "./parse-note.js";

const layout = "basic-memory";

/** Each file is a note, linked to those that it names; its observations are learnings, what is to be done are tasks. */
export function* readNotes(path: string): Generator<ForeignFile> {
  const source = openSource(path);
  const files = [...source.walk("")].filter((file) => file.endsWith(".md"));
  if (files.length === 0)
    throw new RalphError("not-found", `No Markdown files in ${path}`, {
      hint: "name the folder of a project",
    });
  const targets = new Map<string, string>();
  for (const file of files) {
    const { title, permalink = "" } = parseNote(source.findText(file) ?? "");
    for (const name of [idOf(file), basename(idOf(file)), permalink, title ?? ""])
      if (name !== "" && !targets.has(name.toLowerCase())) targets.set(name.toLowerCase(), idOf(file));
  }
  const resolve = (target: string) => targets.get(target.toLowerCase()) ?? target;
  for (const file of files) yield { file, records: fileRecords(source, file, resolve) };
}

function fileRecords(
  source: SourceFolder,
  file: string,
  resolve: (target: string) => string,
): ForeignRecord[] {
  const original = source.findText(file) ?? "";
  const note = parseNote(original);
  const times = timesOf(source, file, note);
  const id = idOf(file);
  const relations = [
    ...note.mentions.map((target) => ({ word: "links_to", target })),
    ...note.items.filter((item) => item.kind === "relation"),
  ];
  const links = new Map(
    relations.map(({ word, target }) => [`${id} ${word} ${resolve(target)}`, { word, target }]),
  );
  const records = [
    ...noteRecords({ id, type: "context", ...contentOfNote(file, note), ...times, original }),
    ...note.items.flatMap((item) => itemRecords(item, { id, ...times })),
  ];
  return [
    ...(ownIdOf(note) === undefined ? records : records.map((record) => withOwn(record, note))),
    ...[...links].map(([name, { word, target }]): ForeignRecord => {
      const relation = nearestRelation(word);
      return { kind: "link", id: name, record: { from: id, to: resolve(target), relation } };
    }),
  ];
}

/** Of a file that an export wrote. */
function ownIdOf({ permalink = "" }: ParsedNote): string | undefined {
  const name = permalink.replace(/^ralph\//, "");
  return name !== permalink && isOwnId(name) ? name : undefined;
}

/** A file about a learning or a task has no prose: its note has a title only. */
function withOwn(record: ForeignRecord, note: ParsedNote): ForeignRecord {
  const { original } = record;
  const told = isObject(original) && isText(original.text) ? original.text : note.prose;
  return { ...record, exportedFrom: { id: ownIdOf(note) ?? "", texts: [told] } };
}

export function contentOfNote(file: string, { title, prose, tags }: ParsedNote) {
  const name = title ?? basename(idOf(file));
  const hasTitle = prose.toLowerCase().includes(name.toLowerCase());
  return {
    text: prose === "" ? name : prose,
    ...(!hasTitle && prose !== "" && { title: name }),
    tags: tags.filter((tag) => tag !== ""),
  };
}

interface ItemPlace {
  /** Of its note. */
  id: string;
  created: string;
  updated: string;
}

export function itemId(noteId: string, { kind, ...item }: NoteItem): string {
  const text = "text" in item ? item.text : "";
  return `${noteId}#${kind} ${sha256(text).slice(0, 12)}`;
}

const learningTypes: readonly [RegExp, LearningType][] = [
  [/decision|convention|rule|preference|requirement|constraint/i, "convention"],
  [/gotcha|warning|bug|pitfall|problem|issue|anti-?pattern|mistake|error/i, "antipattern"],
  [/tip|technique|method|strategy|solution|fix|how-?to|workaround/i, "strategy"],
  [/pattern/i, "pattern"],
];

function itemRecords(item: NoteItem, { id: noteId, created, updated }: ItemPlace): ForeignRecord[] {
  const id = itemId(noteId, item);
  const line = item.line + 1;
  if (item.kind === "observation") {
    const { category, text, context } = item;
    if (text === "") return [];
    const type = learningTypes.find(([words]) => words.test(category))?.[1] ?? "fact";
    const record = newLearning({
      ...{ layout, foreignId: id, type, createdAt: created, updatedAt: updated },
      content: { ...contentOf(type, text), ...(context !== "" && { why: context }) },
      ...(category !== "" && { category }),
    });
    return [{ kind: "learning", id, line, original: item, record }];
  }
  const status = item.kind === "task" ? statuses[item.mark] : undefined;
  if (item.kind !== "task" || status === undefined) return [];
  const record = newTask({
    ...{ layout, id, description: item.text, created, updated, status },
    ...(status === "completed" && { completed: updated }),
  });
  return [{ kind: "task", id, line, original: item, record }];
}

/** What was called off, with a hyphen, is left behind. */
const statuses: Partial<Record<string, TaskStatus>> = { " ": "paused", "/": "paused", x: "completed" };

export function idOf(file: string): string {
  return file.replace(/\.md$/, "");
}

/** Those of the file if it tells none. */
function timesOf(source: SourceFolder, file: string, { created, modified }: ParsedNote) {
  const fields = new RecordFields({ created, modified }, source.place(file));
  const known = fields.findTime("created") ?? fields.findTime("modified");
  const first = known ?? statSync(join(source.directory, file)).mtime.toISOString();
  return { created: first, updated: fields.findTime("modified") ?? first };
}
