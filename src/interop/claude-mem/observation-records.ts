import type { ForeignRecord } from "../../memory/imports/foreign-record.js";
import { unique } from "../../text/unique.js";
import { noteRecords } from "../building/note-records.js";
import { contentOf, newLearning } from "../new-learning.js";
import type { RecordFields } from "../record-fields.js";
import type { ObservationRow } from "./memory-tables.js";

const layout = "claude-mem";

/** Work that is told as an action of its session. */
const workTypes = ["feature", "change", "refactor"];

/** What was found out is a learning, a solved bug a fix; work is in its session, or else a note. */
export function observationRecords({ fields, original, hasSession }: ObservationRow): ForeignRecord[] {
  const type = fields.findText("type") ?? "discovery";
  const id = observationId(fields);
  const statement = statementOf(fields);
  if (type === "sensitive" || statement === "") return [];
  const created = timeOf(fields);
  if (type === "bugfix" || (workTypes.includes(type) && !hasSession)) {
    const tags = [type, ...listOf(fields, "concepts")];
    const noteType = type === "bugfix" ? "fix" : "context";
    return noteRecords({ id, type: noteType, text: statement, tags, created, original });
  }
  if (workTypes.includes(type)) return [];
  const learningType = type === "decision" ? "convention" : "fact";
  const files = filesOf(fields);
  const record = newLearning({
    ...{ layout, foreignId: id, type: learningType, createdAt: created, category: type },
    content: contentOf(learningType, statement),
    sourceLoops: [sessionOf(fields)],
    ...(files.length > 0 && { files }),
  });
  return [{ kind: "learning", id, original, record }];
}

/** Numbers of rows start anew in each database. */
function observationId(fields: RecordFields): string {
  return `${sessionOf(fields)} ${fields.count("id")}`;
}

function sessionOf(fields: RecordFields): string {
  return fields.findText("memory_session_id") ?? fields.findText("sdk_session_id") ?? "";
}

/** The title with what explains it; old rows have only a text. */
export function statementOf(fields: RecordFields): string {
  const [title = "", narrative = "", subtitle = ""] = ["title", "narrative", "subtitle"].map((name) =>
    fields.findText(name)?.trim(),
  );
  const told =
    narrative === "" ? unique([subtitle, ...listOf(fields, "facts")]).filter(Boolean) : [narrative];
  const explained = told.join("; ");
  if (explained.includes(title)) return explained || (fields.findText("text") ?? "").trim();
  return explained === "" ? title : `${title}: ${explained}`;
}

export function filesOf(fields: RecordFields): string[] {
  return unique(["files_read", "files_modified", "files_edited"].flatMap((name) => listOf(fields, name)));
}

/** A list as JSON text; old rows have a bare word. */
export function listOf(fields: RecordFields, name: string): string[] {
  const text = fields.findText(name)?.trim() ?? "";
  if (text === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [text];
  } catch {
    return [text];
  }
}

export function timeOf(fields: RecordFields): string {
  return fields.findTime("created_at_epoch") ?? fields.time("created_at");
}
