import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { isObject, isText } from "../../domain/shape.js";
import { isFolder } from "../../files/find-stats.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { openForeignDatabase } from "../../store/sqlite/foreign-database.js";
import { counted } from "../../text/counted.js";
import { unique } from "../../text/unique.js";
import { type RecordFields, unusable } from "../fields.js";
import type { Layout, ReadOptions, Surroundings } from "../layout.js";
import { findSettings } from "../read-file.js";
import { learningRecord, linkRecord, newAction, noteRecords, taskRecord } from "../records.js";
import { type ObservationRow, openTables, type SessionRows } from "./claude-mem-tables.js";

const layout = "claude-mem";
const databaseFile = "claude-mem.db";

/** The database of claude-mem, which holds all projects of a user. */
export const claudeMemLayout: Layout = {
  name: layout,
  find: (surroundings) => [join(dataFolder(surroundings), databaseFile)].filter((path) => existsSync(path)),
  read: readDatabase,
};

function dataFolder({ home, environment }: Surroundings): string {
  const standard = join(home, ".claude-mem");
  const settings = findSettings(join(standard, "settings.json"));
  const { CLAUDE_MEM_DATA_DIR: folder } = isObject(settings.env) ? settings.env : settings;
  return environment.CLAUDE_MEM_DATA_DIR || (isText(folder) ? folder : standard);
}

/** Sessions with their observations and summaries. Tables with raw prompts and tool output are not read. */
async function* readDatabase(
  path: string,
  { surroundings, only, onSkipped }: ReadOptions,
): AsyncGenerator<ForeignFile> {
  const database = isFolder(path) ? join(path, databaseFile) : path;
  const file = basename(database);
  const { database: connection, close } = await openForeignDatabase(database);
  try {
    const projects = only.length > 0 ? only : [basename(surroundings.root)];
    const tables = openTables(connection, database, projects);
    if (!tables.has("observations")) throw unusable(database, "is not a claude-mem database");
    for (const { project, observations } of tables.otherProjects())
      onSkipped(
        `${file}: project ${project} with ${counted(observations, "observation")} (--only ${project})`,
      );
    const newest = tables.newestSession();
    for (const sessions of tables.sessions())
      yield { file, records: sessions.flatMap((session) => sessionRecords(session, session.id === newest)) };
    for (const observations of tables.observations())
      yield { file, records: observations.flatMap(observationRecords) };
  } finally {
    close();
  }
}

const longestPrompt = 500;

/** A session becomes a task with one attempt, its lessons become learnings; the next steps of the newest one become a task. */
function sessionRecords(session: SessionRows, isNewest: boolean): ForeignRecord[] {
  const { id, summaries, observations } = session;
  if (id.startsWith("manual-") || (summaries.length === 0 && observations.length === 0)) return [];
  const lessons = summaries.flatMap((summary, index) => {
    const statement = summary.findWords("learned")?.trim();
    if (statement === undefined) return [];
    return learningRecord({
      ...{ layout, id: `${id} learned ${index + 1}`, original: statement, type: "fact", statement },
      ...{ createdAt: timeOf(summary), sourceLoops: [id] },
    });
  });
  const last = summaries.at(-1);
  const next = isNewest ? last?.findWords("next_steps")?.trim() : undefined;
  const records = [sessionTask(session), ...lessons];
  if (last === undefined || next === undefined) return records;
  const task = { id: `${id} next`, description: next, created: timeOf(last), status: "paused" as const };
  const link = linkRecord({ from: task.id, word: "derived_from", to: id });
  return [...records, taskRecord({ ...task, layout, original: next }), link];
}

function sessionTask({ id, fields, summaries, observations, original }: SessionRows): ForeignRecord {
  const textsOf = (name: string) => unique(summaries.flatMap((each) => each.findWords(name)?.trim() ?? []));
  const created = fields.time("started_at_epoch", "started_at");
  const last = [...summaries, ...observations].map(timeOf).toSorted().at(-1);
  const done = textsOf("completed");
  const state = fields.findText("status");
  const isOver = state === "completed" || state === "failed" || done.length > 0;
  return taskRecord({
    ...{ layout, id, original, created },
    updated: fields.findTime("completed_at_epoch", "completed_at") ?? last,
    status: !isOver ? "paused" : state === "failed" ? "failed" : "completed",
    description:
      textsOf("request")[0] ??
      fields.findWords("custom_title") ??
      fields.findWords("user_prompt")?.slice(0, longestPrompt) ??
      `Session of ${created.slice(0, 10)}`,
    agent: fields.findText("platform_source"),
    attempt: {
      actions: observations.map((each) => {
        const files = listOf(each, "files_modified");
        return newAction({
          ...{ timestamp: timeOf(each), tool: each.findText("type") ?? "observation" },
          params: { title: each.findText("title") ?? "", ...(files.length > 0 && { files }) },
          output: statementOf(each),
        });
      }),
      files: unique([...summaries, ...observations].flatMap(filesOf)),
      artifacts_produced: unique(observations.flatMap((each) => listOf(each, "files_modified"))),
      outcome: {
        ...{ reason: done.at(-1), what_worked: done, suggestions_for_next_time: textsOf("next_steps") },
      },
    },
  });
}

/** Observation types that become an action of their session. */
const workTypes = ["feature", "change", "refactor"];

/** A discovery becomes a learning, a solved bug a fix; work without a session becomes a note. */
function observationRecords({ fields, original, hasSession }: ObservationRow): ForeignRecord[] {
  const category = fields.findText("type") ?? "discovery";
  const session = fields.findText("memory_session_id", "sdk_session_id") ?? "";
  // Row numbers restart in each database.
  const id = `${session} ${fields.count("id")}`;
  const statement = statementOf(fields);
  const isWork = workTypes.includes(category);
  if (category === "sensitive" || statement === "" || (isWork && hasSession)) return [];
  const created = timeOf(fields);
  if (category === "bugfix" || isWork) {
    const tags = [category, ...listOf(fields, "concepts")];
    const type = isWork ? "context" : "fix";
    return noteRecords({ id, type, text: statement, tags, created, original });
  }
  const files = filesOf(fields);
  return [
    learningRecord({
      ...{ layout, id, original, type: category === "decision" ? "convention" : "fact", category, statement },
      ...{ createdAt: created, sourceLoops: [session], files: files.length > 0 ? files : undefined },
    }),
  ];
}

/** The title with its explanation; old rows have only a text. */
function statementOf(fields: RecordFields): string {
  const [title = "", narrative = "", subtitle = ""] = ["title", "narrative", "subtitle"].map((name) =>
    fields.findText(name)?.trim(),
  );
  const details = unique([subtitle, ...listOf(fields, "facts")]).filter(Boolean);
  const explained = narrative === "" ? details.join("; ") : narrative;
  if (explained.includes(title)) return explained || (fields.findText("text") ?? "").trim();
  return explained === "" ? title : `${title}: ${explained}`;
}

function filesOf(fields: RecordFields): string[] {
  return unique(["files_read", "files_modified", "files_edited"].flatMap((name) => listOf(fields, name)));
}

/** A list as JSON text; old rows contain a bare word. */
function listOf(fields: RecordFields, name: string): string[] {
  const text = fields.findText(name)?.trim() ?? "";
  if (text === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [text];
  } catch {
    return [text];
  }
}

function timeOf(fields: RecordFields): string {
  return fields.time("created_at_epoch", "created_at");
}
