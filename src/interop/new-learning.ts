import type { Learning, LearningType } from "../domain/knowledge/learning.js";
import { sha256 } from "../domain/sha256.js";

/** What must be known of a learning; everything else may be left out. */
export type NewLearning = Pick<Learning, "type" | "content" | "createdAt"> &
  Partial<Learning> & { layout: string; foreignId: string };

const confidence = 0.7;

/** A learning of another tool. One whose id is not one of a learning gets one that follows from it. */
export function newLearning({ layout, foreignId, ...given }: NewLearning): Learning {
  return {
    id: learningIdFrom(layout, foreignId),
    taskType: "general",
    confidence,
    sourceLoops: [],
    updatedAt: given.createdAt,
    useCount: 0,
    successRate: given.type === "antipattern" ? 0 : 1,
    ...given,
  };
}

export function learningIdFrom(layout: string, foreignId: string): string {
  if (/^learn-[\w-]+$/.test(foreignId)) return foreignId;
  return `learn-${sha256(`${layout} ${foreignId}`).slice(0, 12)}`;
}

/** The content of a learning that is one statement. */
export function contentOf(type: LearningType, statement: string): Learning["content"] {
  return type === "convention" ? { pattern: statement } : { description: statement };
}
