import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { LearningType } from "../../domain/knowledge/learning.js";
import { isObject } from "../../domain/shape.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import { RecordFields, SkippedParts, unusable } from "../fields.js";
import type { Layout, ReadOptions } from "../layout.js";
import { learningRecord, linkRecord, newAction, taskRecord } from "../records.js";
import { openSourceFile } from "../source-folder.js";

const layout = "agentmemory";
const storeFiles = ["standalone.json", "export.json"];

/** The memories of agentmemory: its file without a server, or an export of its server. */
export const agentmemoryLayout: Layout = {
  name: layout,
  find: ({ root, home, environment }) => {
    const folders = [
      environment.AGENTMEMORY_DATA_DIR ?? "",
      ...[home, root].map((base) => join(base, ".agentmemory")),
    ];
    const paths = folders.filter(Boolean).map((folder) => join(folder, "standalone.json"));
    return unique(paths).filter((path) => existsSync(path));
  },
  read: readExport,
};

type Reader = (fields: RecordFields, original: unknown) => ForeignRecord[];

/** By the name of the list in an export; the file without a server adds the prefix `mem:`. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["memories", memoryRecords],
  ["lessons", lessonRecords],
  ["insights", lessonRecords],
  ["semanticMemories", factRecords],
  ["actions", actionRecords],
  ["actionEdges", edgeRecords],
]);

const sessionLists = ["sessions", "summaries", "observations"];
/** Lists that are unrelated to the project or derived from others. */
const derived = ["version", "exportedAt", "pagination", "accessLogs", "profiles", "signals", "sentinels"];

function* readExport(path: string, { surroundings, onSkipped }: ReadOptions): Generator<ForeignFile> {
  const { source, file } = openSourceFile(path, storeFiles);
  const place = source.place(file);
  const content = source.findJson(file);
  const store = new Map(
    Object.entries(isObject(content) ? content : {}).map(([name, list]) => [plain(name), list]),
  );
  if (![...store.keys()].some((name) => readers.has(name)))
    throw unusable(place, "holds no memories of agentmemory");
  const skipped = new SkippedParts();
  const project = basename(surroundings.root);
  const now = new Date().toISOString();
  const isWanted = ({ fields }: Item) => {
    const reason = reasonToSkip(fields, project, now);
    if (reason !== undefined) skipped.add(file, reason);
    return reason === undefined;
  };
  const items = (name: string) => itemsOf(store.get(name), `${place}, ${name}`);
  for (const [name, read] of readers)
    yield {
      file,
      records: items(name)
        .filter(isWanted)
        .flatMap(({ fields, original }) => read(fields, original)),
    };
  const summaries = new Map(items("summaries").map((item) => [item.fields.text("sessionId"), item]));
  const observed = new Map(Object.entries(Object(store.get("observations"))));
  const sessions = items("sessions").filter(isWanted);
  yield {
    file,
    records: sessions.map((session) => {
      const id = session.fields.text("id");
      const list = observed.get(id);
      const observations = itemsOf(list, `${place}, observations of ${id}`).map(({ fields }) => fields);
      const summary = summaries.get(id);
      const original = { session: session.original, summary: summary?.original, observations: list };
      return sessionRecord(session.fields, { summary: summary?.fields, observations, original });
    }),
  };
  for (const name of store.keys())
    if (!readers.has(name) && !sessionLists.includes(name) && !derived.includes(name))
      skipped.add(file, `"${name}"`);
  skipped.list().forEach(onSkipped);
}

function plain(name: string): string {
  return name.replace(/^mem:/, "");
}

interface Item {
  original: unknown;
  fields: RecordFields;
}

/** The items of a list, or of an object keyed by id. */
function itemsOf(list: unknown, place: string): Item[] {
  if (!isObject(list) && !Array.isArray(list)) return [];
  return Object.entries(list).map(([key, original]) => ({
    original,
    fields: new RecordFields(original, `${place} ${Array.isArray(list) ? Number(key) + 1 : key}`),
  }));
}

function reasonToSkip(fields: RecordFields, project: string, now: string): string | undefined {
  if (fields.findBoolean("isLatest") === false) return "older versions";
  if (fields.findBoolean("deleted")) return "deleted records";
  if ((fields.findTime("forgetAfter") ?? now) < now) return "records that were to be forgotten by now";
  const own = fields.findText("project") || project;
  return basename(own) === project ? undefined : `records of the project ${own}`;
}

const learningTypes: ReadonlyMap<string, LearningType> = new Map<string, LearningType>([
  ["pattern", "pattern"],
  ["preference", "convention"],
  ["architecture", "convention"],
  ["bug", "antipattern"],
  ["workflow", "strategy"],
]);

function memoryRecords(fields: RecordFields, original: unknown): ForeignRecord[] {
  const id = fields.text("id");
  const category = fields.findText("type") ?? "fact";
  const content = fields.text("content");
  const title = fields.findText("title") ?? "";
  // Strength ranges from 1 to 10, confidence from 0 to 1.
  const strength = fields.findNumber("strength");
  const files = fields.texts("files");
  return [
    learningRecord({
      ...{ layout, id, original, type: learningTypes.get(category) ?? "fact", category, ...timesOf(fields) },
      statement: title === "" || content.includes(title) ? content : `${title}: ${content}`,
      confidence: strength === undefined ? undefined : Math.min(1, Math.max(0, strength / 10)),
      files: files.length > 0 ? files : undefined,
      ...{ sourceLoops: fields.texts("sessionIds"), conditions: fields.texts("concepts") },
    }),
    ...fields.texts("supersedes").map((to) => linkRecord({ from: id, word: "supersedes", to })),
    ...fields.texts("relatedIds").map((to) => linkRecord({ from: id, word: "related_to", to })),
  ];
}

/** A lesson or an insight. */
function lessonRecords(fields: RecordFields, original: unknown): ForeignRecord[] {
  const context = fields.findWords("context");
  return [
    learningRecord({
      ...{ layout, id: fields.text("id"), original, type: "strategy", category: "lesson" },
      ...{ statement: fields.text("content"), ...timesOf(fields) },
      conditions: context === undefined ? undefined : [context],
      confidence: fields.findNumber("confidence", { most: 1 }),
    }),
  ];
}

function factRecords(fields: RecordFields, original: unknown): ForeignRecord[] {
  return [
    learningRecord({
      ...{ layout, id: fields.text("id"), original, type: "fact", statement: fields.text("fact") },
      ...{ ...timesOf(fields), confidence: fields.findNumber("confidence", { most: 1 }) },
    }),
  ];
}

function timesOf(fields: RecordFields): { createdAt: string; updatedAt: string } {
  const createdAt = fields.time("createdAt", "updatedAt");
  return { createdAt, updatedAt: fields.findTime("updatedAt") ?? createdAt };
}

const statuses: ReadonlyMap<string, TaskStatus> = new Map<string, TaskStatus>([
  ["done", "completed"],
  ["cancelled", "failed"],
]);

/** An action is planned work: a task. */
function actionRecords(fields: RecordFields, original: unknown): ForeignRecord[] {
  const id = fields.text("id");
  const status = statuses.get(fields.findText("status") ?? "") ?? "paused";
  const result = fields.findWords("result");
  const parent = fields.findText("parentId");
  return [
    taskRecord({
      ...{ layout, id, original, status, created: fields.time("createdAt") },
      updated: fields.findTime("updatedAt"),
      description: unique([fields.text("title"), fields.findWords("description") ?? []].flat()).join("\n\n"),
      ...{ tags: fields.texts("tags"), agent: fields.findText("assignedTo") },
      attempt:
        status === "paused"
          ? undefined
          : { outcome: { reason: result, what_worked: status === "completed" ? [result ?? []].flat() : [] } },
    }),
    ...(parent === undefined ? [] : [linkRecord({ from: id, word: "elaborates", to: parent })]),
  ];
}

function edgeRecords(fields: RecordFields): ForeignRecord[] {
  const [from, to] = [fields.text("sourceActionId"), fields.text("targetActionId")];
  return [linkRecord({ from, word: fields.findText("type") ?? "related", to })];
}

interface SessionParts {
  summary: RecordFields | undefined;
  observations: readonly RecordFields[];
  original: unknown;
}

/** A session is a task with one attempt, whose actions are the observations. */
function sessionRecord(
  fields: RecordFields,
  { summary, observations, original }: SessionParts,
): ForeignRecord {
  const started = fields.time("startedAt");
  const ended = fields.findTime("endedAt");
  const narrative = fields.findWords("summary") ?? summary?.findWords("narrative");
  const described = summary?.findWords("title") ?? fields.findWords("firstPrompt") ?? narrative;
  return taskRecord({
    ...{ layout, id: fields.text("id"), original, created: started, updated: ended },
    description: described ?? `Session of ${started.slice(0, 10)}`,
    status: fields.findText("status") === "completed" ? "completed" : "paused",
    ...{ tags: fields.texts("tags"), agent: fields.findText("agentId") },
    attempt: {
      ended,
      files: unique(
        [summary, ...observations].flatMap(
          (each) => each?.texts(each === summary ? "filesModified" : "files") ?? [],
        ),
      ),
      actions: observations.map((each) => {
        const tool = each.findText("type") ?? "other";
        return newAction({
          ...{ timestamp: each.time("timestamp"), tool, success: tool !== "error" },
          params: { title: each.findText("title") ?? "", files: each.texts("files") },
          output: each.findText("narrative"),
        });
      }),
      outcome: { what_worked: [narrative ?? [], summary?.texts("keyDecisions") ?? []].flat() },
    },
  });
}
