import type { LearningType } from "../../domain/knowledge/learning.js";
import type { ForeignRecord } from "../../memory/imports/foreign-record.js";
import { defined } from "../defined.js";
import { contentOf, newLearning } from "../new-learning.js";
import type { RecordFields } from "../record-fields.js";

const layout = "agentmemory";

const learningTypes: ReadonlyMap<string, LearningType> = new Map<string, LearningType>([
  ["pattern", "pattern"],
  ["preference", "convention"],
  ["architecture", "convention"],
  ["bug", "antipattern"],
  ["workflow", "strategy"],
]);

/** A strength counts from 1 to 10, a confidence to 1. */
const strongest = 10;

export function memoryRecord(fields: RecordFields, original: unknown): ForeignRecord[] {
  const id = fields.text("id");
  const kind = fields.findText("type") ?? "fact";
  const type = learningTypes.get(kind) ?? "fact";
  const content = fields.text("content");
  const title = fields.findText("title") ?? "";
  const strength = fields.findNumber("strength");
  const statement = title === "" || content.includes(title) ? content : `${title}: ${content}`;
  const files = fields.texts("files");
  const links = [
    ...fields.texts("supersedes").map((to) => ({ from: id, to, relation: "supersedes" as const })),
    ...fields.texts("relatedIds").map((to) => ({ from: id, to, relation: "related_to" as const })),
  ];
  return [
    {
      ...{ kind: "learning", id, original },
      record: newLearning({
        ...{ layout, foreignId: id, type, category: kind, ...timesOf(fields) },
        content: contentOf(type, statement),
        ...(strength !== undefined && { confidence: share(strength / strongest) }),
        ...(files.length > 0 && { files }),
        sourceLoops: fields.texts("sessionIds"),
        conditions: fields.texts("concepts"),
      }),
    },
    ...links.map(
      (record): ForeignRecord => ({ kind: "link", id: `${id} ${record.relation} ${record.to}`, record }),
    ),
  ];
}

/** A lesson or an insight. */
export function lessonRecord(fields: RecordFields, original: unknown): ForeignRecord[] {
  const id = fields.text("id");
  const context = fields.findText("context") || undefined;
  const confidence = fields.findNumber("confidence", { most: 1 });
  const record = newLearning({
    ...{ layout, foreignId: id, type: "strategy", category: "lesson", ...timesOf(fields) },
    content: contentOf("strategy", fields.text("content")),
    ...(context !== undefined && { conditions: [context] }),
    ...defined({ confidence }),
  });
  return [{ kind: "learning", id, original, record }];
}

export function factRecord(fields: RecordFields, original: unknown): ForeignRecord[] {
  const id = fields.text("id");
  const confidence = fields.findNumber("confidence", { most: 1 });
  const record = newLearning({
    ...{ layout, foreignId: id, type: "fact", content: contentOf("fact", fields.text("fact")) },
    ...{ ...timesOf(fields), ...defined({ confidence }) },
  });
  return [{ kind: "learning", id, original, record }];
}

function timesOf(fields: RecordFields): { createdAt: string; updatedAt: string } {
  const createdAt = fields.findTime("createdAt") ?? fields.time("updatedAt");
  return { createdAt, updatedAt: fields.findTime("updatedAt") ?? createdAt };
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
