import {
  isLearningType,
  type Learning,
  type LearningContent,
  type LearningType,
} from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { sha256 } from "../../domain/sha256.js";
import { isObject } from "../../domain/shape.js";
import type { ForeignRow } from "../../store/repositories/knowledge/foreign-records.js";
import { type ExportSource, renderBack } from "../export-source.js";
import { defined, RecordFields, unusable } from "../fields.js";
import { contentOf, newLearning } from "../records.js";
import type { SourceFolder } from "../source-folder.js";
import type { TargetFolder } from "../target-folder.js";
import { style } from "./places.js";

/** The lists of knowledge, each with its own fields. */
export type KnowledgeKind = "pattern" | "anti-pattern" | "fact" | "learning";

type Fields = Record<string, unknown>;

/** The fields that may hold an entry's statement; the first one that is set counts. */
const statementFields = [
  ...["pattern", "fact", "learning", "lesson", "description", "statement", "content", "text", "summary"],
  ...["message", "what_fails", "name"],
];

interface EntryPlace {
  kind: KnowledgeKind;
  /** For messages. */
  place: string;
  /** The time of entries that have none. */
  fallbackTime: string;
}

/** One entry of a knowledge list. */
export function learningFrom(entry: unknown, { kind, place, fallbackTime }: EntryPlace): Learning {
  const given = typeof entry === "string" ? { description: entry } : entry;
  const fields = new RecordFields(given, place);
  const isStatement = (name: string) =>
    isObject(given) && typeof given[name] === "string" && given[name].trim() !== "";
  const statement = fields.findText(...statementFields.filter(isStatement));
  if (statement === undefined) throw unusable(place, "says nothing");
  const type = typeOf(fields, kind);
  const correct = fields.findText("correct_approach") || undefined;
  const conditions = fields.texts("conditions");
  const episodes = [...fields.texts("source_episodes"), fields.findText("source") || []].flat();
  return newLearning({
    ...{ layout: "loki", foreignId: foreignIdOf(entry), type },
    createdAt: fields.findTime("created_at", "createdAt", "timestamp", "last_used") ?? fallbackTime,
    content: contentFrom(fields, { type, statement, correct }),
    useCount: fields.findCount("usage_count", "useCount") ?? 0,
    sourceLoops: fields.texts("sourceLoops"),
    conditions: conditions.length > 0 ? conditions : undefined,
    source_episodes: episodes.length > 0 ? episodes : undefined,
    category: fields.findText("category") || undefined,
    correct_approach: correct,
    incorrect_approach: fields.findText("incorrect_approach") || undefined,
    ...fields.pick({ confidence: "share", last_used: "time" }),
    // Set if the learning was exported from here.
    ...fields.pick({ taskType: "text", successRate: "share", updatedAt: "time" }),
  });
}

function typeOf(fields: RecordFields, kind: KnowledgeKind): LearningType {
  const own = fields.findText("type") ?? "";
  if (isLearningType(own)) return own;
  const isMistake = fields.findText("what_fails", "prevention");
  if (kind === "anti-pattern" || fields.findText("category") === "anti-pattern" || isMistake)
    return "antipattern";
  return kind === "fact" ? "fact" : "pattern";
}

function contentFrom(
  fields: RecordFields,
  { type, statement, correct }: { type: LearningType; statement: string; correct: string | undefined },
): LearningContent {
  const own = fields.findObject("content");
  if (own !== undefined) return own;
  if (type !== "antipattern") return contentOf(type, statement);
  return {
    description: statement,
    ...defined({
      what_fails: fields.findText("what_fails"),
      why: fields.findText("why") || undefined,
      prevention: fields.findText("prevention") || correct,
    }),
  };
}

/** Its own id, or one derived from its content. */
export function foreignIdOf(entry: unknown): string {
  const id = isObject(entry) ? entry.id : undefined;
  if (typeof id === "string" && id !== "") return id;
  const { what_fails, why } = isObject(entry) ? entry : {};
  return `entry-${sha256(JSON.stringify(what_fails === undefined ? entry : [what_fails, why])).slice(0, 16)}`;
}

/** The original entry with later changes applied; a new one in the published form. */
export function renderEntry(row: ForeignRow | undefined, learning: Learning, kind: KnowledgeKind): unknown {
  const isText = typeof row?.original === "string";
  const entry = renderBack(isText ? { ...row, original: { description: row.original } } : row, learning, {
    read: (original) =>
      learningFrom(original, { kind, place: row?.file ?? "", fallbackTime: learning.createdAt }),
    render: (each) => renderLearning(each, row?.foreignId ?? each.id),
  }) as Fields;
  return isText && Object.keys(entry).length === 1 ? entry.description : entry;
}

/** The published fields, then those by which another Ralph recognises the same learning. */
function renderLearning(learning: Learning, id: string): Fields {
  const { type, content, conditions = [], source_episodes: episodes = [], category } = learning;
  const { what_fails, why, prevention } = content;
  const statement = statementOf(learning);
  return {
    id,
    ...(type === "antipattern" && {
      what_fails: what_fails ?? statement,
      ...defined({ why, prevention }),
    }),
    ...(type === "fact" ? { fact: statement } : { pattern: statement }),
    ...defined({ category }),
    conditions,
    ...defined({
      correct_approach: learning.correct_approach,
      incorrect_approach: learning.incorrect_approach,
    }),
    ...{ confidence: learning.confidence, source_episodes: episodes, usage_count: learning.useCount },
    ...defined({ last_used: learning.last_used }),
    created_at: learning.createdAt,
    ...{ type, taskType: learning.taskType, content, sourceLoops: learning.sourceLoops },
    ...{ successRate: learning.successRate, updatedAt: learning.updatedAt },
  };
}

/** A list and the document around it, if any. */
interface ListDocument {
  name: string;
  list: unknown[];
  /** The document with an empty list; null if the file contains only a list. */
  rest: Fields | null;
}

export function openList(
  source: SourceFolder,
  path: string,
  names: readonly string[],
): ListDocument | undefined {
  const value = source.findJson(path);
  if (value === undefined) return undefined;
  const name = names.find((each) => isObject(value) && Array.isArray(value[each])) ?? names[0] ?? "";
  if (Array.isArray(value)) return { name, list: value, rest: null };
  const list = isObject(value) ? value[name] : undefined;
  if (!isObject(value) || !Array.isArray(list)) throw unusable(source.place(path), `has no list "${name}"`);
  // The list keeps its position among the other fields.
  return { name, list, rest: { ...value, [name]: [] } };
}

/** Writes a list into its original document, under one of the names; an empty list creates no new document. */
export function writeList(
  source: ExportSource,
  target: TargetFolder,
  path: string,
  names: readonly string[],
  list: readonly unknown[],
): void {
  const kept = source.kept(path);
  const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
  if (kept === undefined) {
    if (list.length > 0) target.json(path, { version: "1.1.0", [names[0] ?? ""]: list }, style);
  } else if (isObject(kept)) {
    const own = names.find((name) => isEmptyList(kept[name]));
    target.json(path, { ...kept, [own ?? names[0] ?? ""]: list }, style);
  } else target.json(path, list, style);
}
