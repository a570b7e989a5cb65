import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { LearningType } from "../../domain/knowledge/learning.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import { isInside } from "../../files/path-inside.js";
import type { ForeignRecord } from "../../memory/imports/foreign-record.js";
import { RecordFields } from "../fields.js";
import type { ReadOptions } from "../layout.js";
import {
  type FileSection,
  itemsOf,
  layoutOfSections,
  markdownFilesIn,
  type Section,
  sectionsOf,
  slugOf,
} from "../markdown.js";
import { learningRecord, noteRecords, taskRecord } from "../records.js";
import { openSource, type SourceFolder } from "../source-folder.js";

const layout = "codex";
const summaryFile = "memory_summary.md";
const indexHeading = "What's in Memory";

/** The memories of Codex from all folders it worked in; those of other folders are imported only by name. */
export const codexLayout = layoutOfSections({
  name: layout,
  find: ({ home, environment }) =>
    [join(environment.CODEX_HOME || join(home, ".codex"), "memories")].filter((path) => existsSync(path)),
  sections: readSections,
});

/** A section with its folder, if it names one. */
interface PlacedSection extends FileSection {
  cwd: string | undefined;
}

function* readSections(
  path: string,
  { surroundings: { root }, onSkipped }: ReadOptions,
): Generator<FileSection> {
  const source = openSource(path);
  const others = new Map<string, number>();
  const rollouts = markdownFilesIn(source, "rollout_summaries");
  for (const { cwd, ...section } of [
    ...taskGroups(source, "MEMORY.md"),
    ...rollouts.map((file) => rolloutSection(source, file)),
  ]) {
    const isOptional = cwd === undefined || !isInside(root, cwd);
    if (isOptional) others.set(section.file, (others.get(section.file) ?? 0) + 1);
    yield { ...section, isOptional };
  }
  yield* summarySections(source, basename(root));
  for (const file of markdownFilesIn(source, "extensions/ad_hoc/notes")) {
    const created = /^\d{4}-\d\d-\d\d/.exec(basename(file))?.[0];
    const text = source.findText(file) ?? "";
    const records = noteRecords({ id: file, type: "context", text, tags: [layout], created });
    yield { name: basename(file, ".md"), file, records };
  }
  for (const [file, count] of others)
    onSkipped(`${file}: ${count} of other folders; --only takes them by name`);
  if (source.has("skills")) onSkipped("skills: they are for all projects");
}

/** What applies to the user; from the index of all projects, only the part about this one. */
function* summarySections(source: SourceFolder, project: string): Generator<FileSection> {
  const file = summaryFile;
  const content = (source.findText(file) ?? "").replace(/^v\d+\s*\n/, "");
  for (const { headings, text } of sectionsOf(content, { deepest: 3 })) {
    const name = headings.at(-1) ?? file;
    if (headings.includes(indexHeading) && name !== project) continue;
    const id = `${file}#${headings.join("#")}`;
    yield { name, file, records: noteRecords({ id, type: "context", text, title: name, tags: [layout] }) };
  }
}

/** Lessons of related tasks; the tasks themselves are in their rollouts. */
function taskGroups(source: SourceFolder, file: string): PlacedSection[] {
  const groups = new Map<string, Section[]>();
  for (const section of sectionsOf(source.findText(file) ?? "")) {
    const name = section.headings[0]?.replace(/^Task Group:\s*/i, "") ?? file;
    groups.set(name, [...(groups.get(name) ?? []), section]);
  }
  return [...groups].map(([name, sections]) => {
    const text = sections.map((each) => each.text).join("\n");
    const cwd = /^applies_to:.*?\bcwd=([^;\n]+)/m.exec(text)?.[1]?.trim();
    const createdAt = latestTime(text);
    const records = sections.flatMap(({ headings: [, part = ""], text: content, line }) =>
      itemsOf(content).flatMap((item) => learnedRecords(item, { group: name, createdAt, part, line })),
    );
    return { name, file, cwd, records };
  });
}

/** The latest time of the rollouts that a group lists; its lessons have no date of their own. */
function latestTime(text: string): string {
  const times = [...text.matchAll(/\bupdated_at=([^,)\s]+)/g)]
    .map(([, time = ""]) => Date.parse(time))
    .filter((ms) => !Number.isNaN(ms));
  return new Date(times.length > 0 ? Math.max(...times) : Date.now()).toISOString();
}

function learnedRecords(
  item: string,
  { group, createdAt, part, line }: { group: string; createdAt: string; part: string; line: number },
): ForeignRecord[] {
  const text = item.replace(/(?:\s*\[Task \d+\])+\s*$/, "");
  const place = { id: `${group} ${slugOf(text).slice(0, 120)}`, line, original: item };
  if (/^user preferences/i.test(part))
    return noteRecords({ ...place, type: "pattern", text, tags: [layout] });
  const learn = (type: LearningType, content: { description: string; prevention?: string }) => [
    learningRecord({ ...place, layout, type, content, createdAt }),
  ];
  if (/^reusable knowledge/i.test(part)) return learn("fact", { description: text });
  if (!/^failures/i.test(part)) return [];
  // Symptom, cause and remedy, separated by arrows.
  const steps = text.split(/\s*(?:->|→)\s*/);
  const prevention = steps.length > 1 ? steps.pop() : undefined;
  return learn("antipattern", {
    description: steps.join(": "),
    ...(prevention !== undefined && { prevention }),
  });
}

const endings: ReadonlyMap<string, { status: TaskStatus; quality?: number }> = new Map<
  string,
  { status: TaskStatus; quality?: number }
>([
  ["success", { status: "completed" }],
  ["partial", { status: "failed", quality: 0.5 }],
  ["fail", { status: "failed" }],
]);

const longestText = 4000;

/** The summary of a session: a task with one attempt for each task in it. */
function rolloutSection(source: SourceFolder, file: string): PlacedSection {
  const text = source.findText(file) ?? "";
  const [head = ""] = text.split(/^\s*$|^#/m, 1);
  // Lines such as `cwd: /home/me/project`.
  const lines = [...head.matchAll(/^(\w+):[ \t]*(.*?)[ \t\r]*$/gm)].map(([, name, value]) => [name, value]);
  const fields = new RecordFields(Object.fromEntries(lines), source.place(file));
  const sections = sectionsOf(text.slice(head.length));
  const title = sections.flatMap(({ headings }) => headings)[0] ?? basename(file, ".md");
  const tasks = sections.filter(({ headings }) => /^Task \d+/i.test(headings.at(-1) ?? ""));
  const updated = fields.findTime("updated_at") ?? timeInName(file) ?? new Date(0).toISOString();
  const created = timeInName(file) ?? updated;
  const records = (tasks.length > 0 ? tasks : sections.slice(0, 1)).map((section, index) => {
    const id = `${fields.findText("thread_id") ?? file}/${index + 1}`;
    return rolloutTask(section, { id, title, created, updated });
  });
  return { name: title, file, cwd: fields.findText("cwd"), records };
}

function rolloutTask(
  { headings, text, line }: Section,
  { title, ...about }: { id: string; title: string; created: string; updated: string },
): ForeignRecord {
  const word = /^Outcome:\s*(\w+)/im.exec(text)?.[1]?.toLowerCase() ?? "";
  const { status, quality } = endings.get(word) ?? { status: "paused" };
  const details = text
    .replace(/^Outcome:.*$/gim, "")
    .trim()
    .slice(0, longestText);
  const summary = [title, details].filter(Boolean);
  const isDone = status === "completed";
  return taskRecord({
    ...{ ...about, layout, line, original: { title, text }, status, agent: "codex" },
    description: (headings.at(-1) ?? title).replace(/^Task \d+:?\s*/i, "") || title,
    attempt: {
      execution: { agent: "codex", iterations: 1 },
      outcome: {
        final_quality: quality,
        what_worked: isDone ? summary.toReversed() : [],
        what_didnt_work: isDone ? [] : summary,
      },
    },
  });
}

/** As in `2026-01-06T10-00-00-a1B2-name.md`. */
function timeInName(file: string): string | undefined {
  const [, day, ...clock] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)/.exec(basename(file)) ?? [];
  const time = new Date(`${day}T${clock.join(":")}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
