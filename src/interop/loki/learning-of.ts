import {
  isLearningType,
  type Learning,
  type LearningContent,
  type LearningType,
} from "../../domain/knowledge/learning.js";
import { sha256 } from "../../domain/sha256.js";
import { isObject } from "../../domain/shape.js";
import { defined } from "../defined.js";
import { learningIdFrom, newLearning } from "../new-learning.js";
import { RecordFields, unusable } from "../record-fields.js";

/** The lists of knowledge, each with fields of its own. */
export type KnowledgeKind = "pattern" | "anti-pattern" | "fact" | "learning";

export interface Surrounding {
  kind: KnowledgeKind;
  place: string;
  /** When an entry was written that does not say so itself. */
  fallbackTime: string;
}

/** Where entries of the lists have their statement, the first that is there. */
const statementFields = [
  ...["pattern", "fact", "learning", "lesson", "description", "statement", "content", "text", "summary"],
  ...["message", "what_fails", "name"],
];

/** One entry of a list of knowledge. */
export function learningFrom(entry: unknown, { kind, place, fallbackTime }: Surrounding): Learning {
  const given = typeof entry === "string" ? { description: entry } : entry;
  const fields = new RecordFields(given, place);
  const statement = statementIn(fields, given);
  if (statement === undefined) throw unusable(place, "says nothing");
  const createdAt =
    fields.findTime("created_at") ??
    fields.findTime("createdAt") ??
    fields.findTime("timestamp") ??
    fields.findTime("last_used") ??
    fallbackTime;
  const type = typeOf(fields, kind);
  const correct = fields.findText("correct_approach") || undefined;
  const source = fields.findText("source") || undefined;
  return newLearning({
    ...{ layout: "loki", foreignId: foreignIdOf(entry), type, createdAt },
    content: contentFrom(fields, { type, statement, correct }),
    useCount: fields.findCount("usage_count") ?? fields.findCount("useCount") ?? 0,
    sourceLoops: fields.texts("sourceLoops"),
    ...defined({
      conditions: unlessEmpty(fields.texts("conditions")),
      source_episodes: unlessEmpty([
        ...fields.texts("source_episodes"),
        ...(source === undefined ? [] : [source]),
      ]),
      category: fields.findText("category") || undefined,
      correct_approach: correct,
      incorrect_approach: fields.findText("incorrect_approach") || undefined,
      confidence: fields.findNumber("confidence", { most: 1 }),
      last_used: fields.findTime("last_used"),
      // Of a learning that was exported from here.
      taskType: fields.findText("taskType"),
      successRate: fields.findNumber("successRate", { most: 1 }),
      updatedAt: fields.findTime("updatedAt"),
    }),
  });
}

function unlessEmpty<Item>(list: Item[]): Item[] | undefined {
  return list.length === 0 ? undefined : list;
}

function statementIn(fields: RecordFields, given: unknown): string | undefined {
  for (const name of statementFields) {
    const value = isObject(given) ? given[name] : undefined;
    if (typeof value === "string" && value.trim() !== "") return fields.findText(name);
  }
  return undefined;
}

function typeOf(fields: RecordFields, kind: KnowledgeKind): LearningType {
  const own = fields.findText("type") ?? "";
  if (isLearningType(own)) return own;
  const isMistake = fields.findText("what_fails") ?? fields.findText("prevention");
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
  if (type === "convention") return { pattern: statement };
  if (type !== "antipattern") return { description: statement };
  return {
    description: statement,
    ...defined({
      what_fails: fields.findText("what_fails"),
      why: fields.findText("why") || undefined,
      prevention: fields.findText("prevention") || correct,
    }),
  };
}

/** Its own, or one that follows from what it says. */
export function foreignIdOf(entry: unknown): string {
  const id = isObject(entry) ? entry.id : undefined;
  if (typeof id === "string" && id !== "") return id;
  const { what_fails, why } = isObject(entry) ? entry : {};
  return `entry-${sha256(JSON.stringify(what_fails === undefined ? entry : [what_fails, why])).slice(0, 16)}`;
}

export function learningIdOf(entry: unknown): string {
  return learningIdFrom("loki", foreignIdOf(entry));
}
