import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import { findStats, isFolder } from "../../files/find-stats.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import { defined, type RecordFields, SkippedParts, unusable } from "../fields.js";
import type { Layout, ReadOptions } from "../layout.js";
import { learningRecord, linkRecord, noteRecords, taskRecord } from "../records.js";
import { openSource, openSourceFile, recordsByLine } from "../source-folder.js";

const layout = "beads";
const beadsFolder = ".beads";
const issueFiles = ["issues.jsonl", "beads.jsonl"];
const databases = ["beads.db", "dolt", "embeddeddolt"];

/** The issues and memories of beads, from the file it exports after each change. */
export const beadsLayout: Layout = {
  name: layout,
  find: ({ root }) => [join(root, beadsFolder)].filter((path) => existsSync(path)),
  read: readIssues,
};

/** Work that people plan; other types are messages and internals of its own agents. */
const importedTypes = "task bug feature epic chore decision spike story milestone".split(" ");

function* readIssues(path: string, { onSkipped }: ReadOptions): Generator<ForeignFile> {
  const { source, file } = openBeads(path, (folder) => onSkipped(`redirect: read from ${folder}`));
  const skipped = new SkippedParts();
  const ids = new Set<string>();
  for (const { value } of source.jsonLines(file))
    if (isObject(value) && typeof value.id === "string") ids.add(value.id);
  yield* recordsByLine(source, file, (fields, original, line) => {
    const reason = reasonToSkip(fields);
    if (reason !== undefined) skipped.add(file, reason);
    if (reason !== undefined) return [];
    if (fields.findText("_type") !== "memory") return issueRecords(fields, { original, line, ids });
    const [id, text] = [fields.text("key"), fields.text("value")];
    return noteRecords({ id, type: "pattern", text, tags: [], line, original });
  });
  skipped.list().forEach(onSkipped);
}

/** Opens the exported file of a folder, of a project with such a folder, or of the folder it redirects to. */
function openBeads(path: string, onRedirected: (folder: string) => void) {
  if (findStats(path)?.isFile()) return openSourceFile(path, issueFiles);
  const inner = resolve(path, beadsFolder);
  const given = existsSync(inner) ? inner : path;
  const folder = redirectedFrom(given) ?? given;
  if (folder !== given) onRedirected(folder);
  const has = (name: string) => existsSync(resolve(folder, name));
  if (!issueFiles.some(has) && databases.some(has))
    throw new RalphError("not-found", `${folder} has a database, but no ${issueFiles[0]}`, {
      hint: `write it with "bd export -o ${issueFiles[0]}", and import again`,
    });
  return openSourceFile(folder, issueFiles);
}

/** A worktree may redirect to another folder; only a folder named `.beads` is followed. */
function redirectedFrom(folder: string): string | undefined {
  const source = openSource(folder);
  const named = existsSync(folder) ? source.findText("redirect")?.trim() : undefined;
  if (named === undefined || named === "") return undefined;
  const target = [dirname(folder), folder]
    .map((from) => resolve(from, named))
    .find((each) => basename(each) === beadsFolder && isFolder(each));
  if (target !== undefined) return target;
  throw unusable(source.place("redirect"), `names no folder ${beadsFolder} that exists`);
}

function reasonToSkip(fields: RecordFields): string | undefined {
  const what = fields.findText("_type") ?? "issue";
  if (what === "memory") return undefined;
  if (what !== "issue") return `lines of type ${what}`;
  if (fields.findText("status") === "tombstone") return "deleted issues";
  if (fields.findBoolean("ephemeral") || fields.findBoolean("is_template"))
    return "issues that are templates or not kept";
  const type = fields.findText("issue_type") ?? "task";
  return importedTypes.includes(type) ? undefined : `issues of type ${type}`;
}

interface IssueLine {
  original: unknown;
  line: number;
  /** The ids of all issues in the file. */
  ids: ReadonlySet<string>;
}

/** A decision becomes a learning, any other issue a task; its dependencies become links. */
function issueRecords(fields: RecordFields, { original, line, ids }: IssueLine): ForeignRecord[] {
  const from = fields.text("id");
  const links = fields.records("dependencies").map((dependency) => ({
    ...{ from, to: dependency.text("depends_on_id"), word: dependency.findText("type") ?? "related" },
  }));
  const related = unique(links.map(({ to }) => to).filter((to) => ids.has(to)));
  const place = { layout, id: from, line, original };
  return [
    ...(fields.findText("issue_type") === "decision"
      ? [learningRecord({ ...place, ...decisionOf(fields) })]
      : [taskRecord({ ...place, ...taskOf(fields, related) }), ...lessonRecords(fields, from, line)]),
    ...links.map((link) => linkRecord(link, { line })),
  ];
}

function decisionOf(fields: RecordFields) {
  const { created, updated } = timesOf(fields);
  const statement = [fields.text("title"), ...textsOf(fields, "description", "design")].join(". ");
  const why = defined({ why: fields.findText("close_reason") });
  return {
    ...{ type: "convention" as const, content: { pattern: statement, ...why }, category: "decision" },
    ...{ createdAt: created, updatedAt: updated },
  };
}

function taskOf(fields: RecordFields, related: string[]) {
  const { created, updated, started, closed } = timesOf(fields);
  const isClosed = fields.findText("status") === "closed";
  const isDone = isClosed && !isGivenUp(fields);
  const reason = fields.findText("close_reason") ?? "";
  const agent = fields.findText("assignee");
  const notes = textsOf(fields, "notes");
  const results = [...notes, reason].filter((text) => text !== "");
  const reflections = fields
    .records("comments")
    .map((comment) => reflectionOf(comment, fields.text("id"), created));
  const isBegun = isClosed || started !== undefined || reflections.length > 0 || notes.length > 0;
  return {
    description: [fields.text("title"), ...textsOf(fields, "description")].join("\n\n"),
    ...{ created, updated, agent, reflections, related_tasks: related },
    status: isDone ? ("completed" as const) : isClosed ? ("failed" as const) : ("paused" as const),
    ...(isDone && { completed: closed ?? updated }),
    completion_criteria: fields.findText("acceptance_criteria"),
    tags: unique([...fields.texts("labels"), fields.findText("issue_type") ?? "task"]),
    attempt: !isBegun
      ? undefined
      : {
          started,
          ended: closed,
          plan: { approach: fields.findText("design") },
          execution: { iterations: 1, agent },
          outcome: {
            reason: reason || undefined,
            what_worked: isDone ? results : [],
            what_didnt_work: isDone ? [] : results,
          },
        },
  };
}

/** What was wrong and how it was solved: tasks are shown for some months only, lessons as long as they are useful. */
function lessonRecords(fields: RecordFields, issueId: string, line: number): ForeignRecord[] {
  const reason = fields.findText("close_reason") ?? "";
  const isSolved = fields.findText("status") === "closed" && !isGivenUp(fields);
  if (fields.findText("issue_type") !== "bug" || !isSolved || !saysHow(reason)) return [];
  const { created, updated } = timesOf(fields);
  return [
    learningRecord({
      ...{ layout, id: `lesson of ${issueId}`, line, original: reason, type: "antipattern" },
      ...{ taskType: "bug-fix", sourceLoops: [issueId], createdAt: created, updatedAt: updated },
      content: { description: fields.text("title"), prevention: reason },
    }),
  ];
}

/** Words that only say that it is closed. */
const closingWords = new Set(
  "closed close done fixed fix completed complete implemented resolved merged in by via as is it the pr issue commit".split(
    " ",
  ),
);

function saysHow(reason: string): boolean {
  const words = reason.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some((word) => !closingWords.has(word) && !/^[0-9a-f]*\d[0-9a-f]*$/.test(word));
}

const givenUp =
  /\b(?:won['’]?t\s*(?:fix|do)|wontfix|duplicate|obsolete|invalid|not planned|cancel(?:l?ed)?|abandoned)\b/i;

/** A closed issue is not always a solved one. */
function isGivenUp(fields: RecordFields): boolean {
  return givenUp.test(fields.findText("close_reason") ?? "");
}

function reflectionOf(comment: RecordFields, taskId: string, created: string): Reflection {
  return {
    ...{ timestamp: comment.findTime("created_at") ?? created, task_id: taskId, attempt_id: 1 },
    ...{ observation: comment.text("text"), analysis: "", learning: "", action_items: [] },
    ...{ triggered_by: "manual", reflection_type: "process-improvement" },
  };
}

function textsOf(fields: RecordFields, ...names: string[]): string[] {
  return names.flatMap((name) => fields.findWords(name)?.trim() ?? []);
}

/** A time in 1970 stands for an unknown one. */
function timesOf(fields: RecordFields) {
  const known = (name: string) => [fields.findTime(name)].find((time = "") => time > "1971");
  const [updated, closed] = [known("updated_at"), known("closed_at")];
  const created = known("created_at") ?? updated ?? closed ?? new Date(0).toISOString();
  return { created, updated: updated ?? closed ?? created, started: known("started_at"), closed };
}
