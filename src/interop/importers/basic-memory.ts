import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { LearningType } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { sha256 } from "../../domain/sha256.js";
import { isObject, isText } from "../../domain/shape.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import { isInside } from "../../files/path-inside.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import { RecordFields } from "../fields.js";
import type { Layout, Surroundings } from "../layout.js";
import { markdownFilesIn } from "../markdown.js";
import { findSettings } from "../read-file.js";
import { contentOf, learningRecord, linkRecord, noteRecords, taskRecord } from "../records.js";
import { openSource } from "../source-folder.js";
import { type NoteItem, type ParsedNote, parseNote } from "./basic-memory-note.js";

const layout = "basic-memory";

/** The Markdown files of basic-memory, with observations and relations in lists. */
export const basicMemoryLayout: Layout = { name: layout, find: findProjects, read: readNotes };

/** Each file is a note, linked to those it names; its observations are learnings, its to-dos are tasks. */
function* readNotes(path: string): Generator<ForeignFile> {
  const source = openSource(path);
  const files = markdownFilesIn(source);
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
  for (const file of files) {
    const text = source.findText(file) ?? "";
    const note = parseNote(text);
    const { created: createdAt, modified } = note;
    const fields = new RecordFields({ created: createdAt, modified }, source.place(file));
    const created = fields.findTime("created", "modified") ?? source.findModified(file) ?? "";
    const times = { created, updated: fields.findTime("modified") ?? created };
    yield { file, records: recordsOf(file, note, { times, original: text, resolve }) };
  }
}

function idOf(file: string): string {
  return file.replace(/\.md$/, "");
}

interface Times {
  created: string;
  updated: string;
}

function recordsOf(
  file: string,
  { title = basename(idOf(file)), prose, tags, mentions, items }: ParsedNote,
  { times, original, resolve }: { times: Times; original: string; resolve: (target: string) => string },
): ForeignRecord[] {
  const id = idOf(file);
  const isTitled = prose === "" || prose.toLowerCase().includes(title.toLowerCase());
  const relations = [
    ...mentions.map((target) => ({ word: "links_to", target })),
    ...items.filter((item) => item.kind === "relation"),
  ].map(({ word, target }) => linkRecord({ from: id, word, to: resolve(target) }));
  return [
    ...noteRecords({
      ...{ id, type: "context", text: prose || title, title: isTitled ? undefined : title },
      ...{ tags: tags.filter((tag) => tag !== ""), created: times.created, original },
    }),
    ...items.flatMap((item) => itemRecords(item, id, times)),
    ...new Map(relations.map((link) => [link.id, link])).values(),
  ];
}

const learningTypes: readonly [RegExp, LearningType][] = [
  [/decision|convention|rule|preference|requirement|constraint/i, "convention"],
  [/gotcha|warning|bug|pitfall|problem|issue|anti-?pattern|mistake|error/i, "antipattern"],
  [/tip|technique|method|strategy|solution|fix|how-?to|workaround/i, "strategy"],
  [/pattern/i, "pattern"],
];

/** Cancelled work, with a hyphen, is left out. */
const statuses: Partial<Record<string, TaskStatus>> = { " ": "paused", "/": "paused", x: "completed" };

function itemRecords(item: NoteItem, noteId: string, { created, updated }: Times): ForeignRecord[] {
  if (item.kind === "relation" || item.text === "") return [];
  const id = `${noteId}#${item.kind} ${sha256(item.text).slice(0, 12)}`;
  const place = { layout, id, line: item.line + 1, original: item };
  if (item.kind === "task") {
    const status = statuses[item.mark];
    if (status === undefined) return [];
    return [taskRecord({ ...place, description: item.text, created, updated, status })];
  }
  const { category, text, context } = item;
  const type = learningTypes.find(([words]) => words.test(category))?.[1] ?? "fact";
  return [
    learningRecord({
      ...{ ...place, type, createdAt: created, updatedAt: updated, category: category || undefined },
      content: { ...contentOf(type, text), ...(context !== "" && { why: context }) },
    }),
  ];
}

/** The folders of notes that are in the project or named after it, else the default folder. */
function findProjects(surroundings: Surroundings): string[] {
  const { root, home } = surroundings;
  const own = configuredProjects(surroundings).filter(
    ({ name, path }) => isInside(root, path) || name === basename(root),
  );
  const paths = own.length > 0 ? own.map(({ path }) => path) : [join(home, "basic-memory")];
  return unique(paths).filter((path) => existsSync(path));
}

function configuredProjects({ home, environment }: Surroundings): { name: string; path: string }[] {
  const { BASIC_MEMORY_CONFIG_DIR: own, XDG_CONFIG_HOME: config } = environment;
  const folder = own || (config ? join(config, "basic-memory") : join(home, ".basic-memory"));
  const { projects } = findSettings(join(folder, "config.json"));
  return Object.entries(isObject(projects) ? projects : {}).flatMap(([name, value]) => {
    const path = isObject(value) ? value.path : value;
    return isText(path) ? [{ name, path: path.replace(/^~(?=\/|$)/, home) }] : [];
  });
}
