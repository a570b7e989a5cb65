import { type Learning, type StagedLearning, stagingStatuses } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { sha256 } from "../../domain/sha256.js";
import { isObject } from "../../domain/shape.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import { RecordFields, unusable } from "../fields.js";
import type { ReadOptions } from "../layout.js";
import { parseJson } from "../read-file.js";
import type { SourceFolder } from "../source-folder.js";

export const knowledgeFiles = {
  learnings: "knowledge/ralph-learnings.json",
  staged: "knowledge/staging.json",
} as const;

export const backupFile = `${knowledgeFiles.learnings}.bak`;

/** SHA-256 of the list as compact JSON, so it depends on the order of fields. */
export function checksumOf(list: readonly unknown[]): string {
  return sha256(JSON.stringify(list));
}

type Fields = Record<string, unknown>;

interface LearningsOptions extends ReadOptions {
  /** Reads the backup instead of the file. */
  isBackup?: boolean;
}

/** The learnings, and the rest of their document. */
export function* readLearnings(source: SourceFolder, options: LearningsOptions): Generator<ForeignFile> {
  const path = knowledgeFiles.learnings;
  const backup = source.findText(backupFile);
  if (options.isBackup && backup === undefined) throw unusable(source.place(backupFile), "is missing");
  const own = source.findText(path);
  const isBackup = options.isBackup || own === undefined;
  const text = isBackup ? backup : own;
  if (text !== undefined) {
    const place = source.place(isBackup ? backupFile : path);
    if (isBackup && !options.isBackup)
      options.onSkipped(`${path}: it is missing; its backup was imported instead`);
    const document = openDocument(text, { place, list: "learnings", hint: hintOf(backup) }, options);
    const { list, rest } =
      document ?? openDocument(backup ?? "", { place, list: "learnings" }, options) ?? none;
    if (document === undefined)
      options.onSkipped(`${path}: it cannot be read; its backup was imported instead`);
    yield {
      file: path,
      records: [
        { kind: "kept", id: path, original: rest },
        ...list.map((learning) => ({
          kind: "learning" as const,
          id: String(learning.id),
          record: learning as unknown as Learning,
          original: learning,
        })),
      ],
    };
  }
  if (backup !== undefined)
    yield { file: backupFile, records: [{ kind: "kept", id: backupFile, original: backup }] };
}

/** The entries that wait for a review there. */
export function* readStaged(source: SourceFolder, options: ReadOptions): Generator<ForeignFile> {
  const path = knowledgeFiles.staged;
  const text = source.findText(path);
  if (text === undefined) return;
  const place = source.place(path);
  const { list, rest } = openDocument(text, { place, list: "staged" }, options) ?? none;
  yield {
    file: path,
    records: [
      { kind: "kept", id: path, original: rest },
      ...list.map((entry, index) => ({
        kind: "staged" as const,
        id: String(entry.id),
        record: stagedFrom(entry, `${place}, staged ${index + 1}`),
        original: entry,
      })),
    ],
  };
}

export function stagedFrom(entry: Fields, place: string): StagedLearning {
  const fields = new RecordFields(entry, place);
  fields.oneOf("status", stagingStatuses);
  fields.time("stagedAt");
  if (!isObject(entry.learning)) throw unusable(place, 'has no "learning"');
  return entry as unknown as StagedLearning;
}

interface Document {
  list: Fields[];
  /** The document without its list. */
  rest: Fields;
}

const none: Document = { list: [], rest: {} };

/** Undefined if it cannot be read, but a fallback exists. */
function openDocument(
  text: string,
  { place, list: name, hint }: { place: string; list: string; hint?: string | undefined },
  { force }: Pick<ReadOptions, "force">,
): Document | undefined {
  let document: unknown;
  try {
    document = parseJson(text, place);
  } catch (error) {
    if (force && hint !== undefined) return undefined;
    throw error instanceof RalphError && hint !== undefined ? withHint(error, hint) : error;
  }
  if (!isObject(document)) throw unusable(place, "is not a JSON object");
  const { [name]: list, ...rest } = document;
  if (!Array.isArray(list)) throw unusable(place, `has no list "${name}"`);
  refuseNewer(document.version, place);
  if (!force && document.checksum !== checksumOf(list)) {
    const why = "does not match its checksum: it was edited or damaged after it was written";
    const all = [hint, "--force imports it as it is"].filter((each) => each !== undefined);
    throw withHint(unusable(place, why), all.join("; "));
  }
  const ids = new Set<unknown>();
  for (const [index, each] of list.entries()) {
    if (!isObject(each) || typeof each.id !== "string" || each.id === "")
      throw unusable(place, `is invalid: number ${index + 1} of "${name}" has no id`);
    if (ids.has(each.id)) throw unusable(place, `is invalid: two of "${name}" have the id ${each.id}`);
    ids.add(each.id);
  }
  return { list: list as Fields[], rest };
}

function refuseNewer(version: unknown, place: string): void {
  const major = Number(String(version ?? "1").split(".")[0]);
  if (major <= 1) return;
  throw new RalphError("store-too-new", `${place} has version ${version}; this ralph reads 1.0.0`, {
    hint: "update ralph, then import it again",
  });
}

/** Whether the backup can be used instead. */
function hintOf(backup: string | undefined): string | undefined {
  if (backup === undefined) return undefined;
  try {
    const { learnings, checksum } = JSON.parse(backup) as { learnings: unknown[]; checksum: string };
    if (checksum !== checksumOf(learnings)) return undefined;
    return `its backup is good: "ralph import aiwg --only backup" imports its ${learnings.length} learnings`;
  } catch {
    return undefined;
  }
}

function withHint(error: RalphError, hint: string): RalphError {
  return new RalphError(error.code, error.message, { hint: `nothing was imported; ${hint}`, cause: error });
}
