import { isObject } from "../../domain/shape.js";
import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { noteRecords } from "../building/note-records.js";
import type { ReadOptions } from "../layout.js";
import { RecordFields } from "../record-fields.js";
import { SkippedParts } from "../skipped-parts.js";
import { issueRecords } from "./issue-records.js";
import { openBeads } from "./open-beads.js";

/** Lines that are read before they are passed on. */
const linesAtOnce = 500;

/** Work that people plan; other types are messages and gear of its own agents. */
const takenTypes = "task bug feature epic chore decision spike story milestone".split(" ");

export function* readIssues(path: string, { onSkipped }: ReadOptions): Generator<ForeignFile> {
  const { source, file } = openBeads(path, (folder) => onSkipped(`redirect: read from ${folder}`));
  const skipped = new SkippedParts();
  const ids = new Set<string>();
  for (const { value } of source.jsonLines(file))
    if (isObject(value) && typeof value.id === "string") ids.add(value.id);
  let records: ForeignRecord[] = [];
  let lines = 0;
  for (const { value, line, place } of source.jsonLines(file)) {
    const fields = new RecordFields(value, place);
    const reason = reasonToSkip(fields);
    if (reason === undefined) records.push(...readLine(fields, { original: value, line, ids }));
    else skipped.add(file, reason);
    lines += 1;
    if (lines % linesAtOnce !== 0) continue;
    yield { file, records };
    records = [];
  }
  yield { file, records };
  skipped.list().forEach(onSkipped);
}

function reasonToSkip(fields: RecordFields): string | undefined {
  const what = fields.findText("_type") ?? "issue";
  if (what === "memory") return undefined;
  if (what !== "issue") return `lines of type ${what}`;
  if (fields.findText("status") === "tombstone") return "deleted issues";
  if (fields.findBoolean("ephemeral") || fields.findBoolean("is_template"))
    return "issues that are templates or not kept";
  const type = fields.findText("issue_type") ?? "task";
  return takenTypes.includes(type) ? undefined : `issues of type ${type}`;
}

export interface IssueLine {
  original: unknown;
  line: number;
  /** Of all issues in the file. */
  ids: ReadonlySet<string>;
}

function readLine(fields: RecordFields, issue: IssueLine): ForeignRecord[] {
  const { original, line } = issue;
  if (fields.findText("_type") !== "memory") return issueRecords(fields, issue);
  const [key, text] = [fields.text("key"), fields.text("value")];
  return noteRecords({ id: key, type: "pattern", text, tags: [], line, original });
}
