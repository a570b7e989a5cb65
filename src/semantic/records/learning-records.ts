import type { Learning, LearningType } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { LearningFilter } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { SemanticContext } from "../semantic-context.js";
import { getLearning } from "./get-learning.js";
import { learningProblem } from "./learning-problem.js";
import { checkFraction, checkType } from "./store-learning.js";
import { removeAllLearnings, removeLearning, saveFigures, saveLearning } from "./write-learning.js";

export interface LearningQuery {
  type?: LearningType | undefined;
  taskType?: string | undefined;
  minConfidence?: number | undefined;
  minSuccessRate?: number | undefined;
  limit?: number | undefined;
  /** How many to skip. */
  offset?: number | undefined;
  /** Also those that another learning supersedes. */
  includesSuperseded?: boolean | undefined;
  /** Only those that a finished task was shown, or only the others. */
  isCredited?: boolean | undefined;
  /** Only some of these, a few hundred at most. */
  ids?: readonly string[] | undefined;
}

export interface KnowledgeStats {
  totalSize: number;
  lastUpdated: string | null;
  averageConfidence: number;
  averageSuccessRate: number;
  mostUsedLearning: Learning | null;
  byType: Record<string, number>;
  byTaskType: Record<string, number>;
}

/** Ranked by confidence, success rate and use. */
export async function queryLearnings(
  { store }: Pick<SemanticContext, "store">,
  query: LearningQuery,
): Promise<Learning[]> {
  const rows = await store.learnings.list({
    ...toFilter(query),
    ...(query.limit !== undefined && { limit: checkCount("limit", query.limit) }),
    ...(query.offset !== undefined && { offset: checkCount("offset", query.offset) }),
  });
  return rows.map(({ learning }) => learning);
}

export async function countLearnings(
  { store }: Pick<SemanticContext, "store">,
  query: LearningQuery,
): Promise<number> {
  return store.learnings.count(toFilter(query));
}

function toFilter(query: LearningQuery): LearningFilter {
  return {
    ...(query.type !== undefined && { types: [checkType(query.type)] }),
    ...(query.taskType !== undefined && { taskTypes: [query.taskType] }),
    ...(query.minConfidence !== undefined && { minConfidence: query.minConfidence }),
    ...(query.minSuccessRate !== undefined && { minSuccessRate: query.minSuccessRate }),
    ...(query.isCredited !== undefined && { isCredited: query.isCredited }),
    ...(query.ids !== undefined && { ids: query.ids }),
    includesSuperseded: query.includesSuperseded ?? false,
  };
}

/** Finds a learning and counts that as a use. */
export async function retrieveLearning(
  { store, clock }: SemanticContext,
  id: string,
): Promise<Learning | undefined> {
  return store.transaction((tx) => countUse(tx, id, clock().toISOString()));
}

/** Counts a use of each learning that was put into a prompt. */
export async function countUses({ store, clock }: SemanticContext, ids: readonly string[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (const id of ids) await countUse(tx, id, clock().toISOString());
  });
}

async function countUse(tx: Repositories, id: string, now: string): Promise<Learning | undefined> {
  const row = await tx.learnings.find(id);
  if (row === undefined) return undefined;
  const used = { ...row.learning, useCount: row.learning.useCount + 1, last_used: now };
  await saveFigures(tx, [used], await tx.learnings.listRaw([used.id]));
  return used;
}

/** The origin of a record cannot be edited. */
const fixedFields = ["id", "createdAt", "sourceLoops"];

export async function updateLearning(
  { store, clock }: SemanticContext,
  id: string,
  updates: Partial<Learning>,
): Promise<Learning> {
  if (typeof updates !== "object" || updates === null || Array.isArray(updates)) {
    throw new RalphError("wrong-use", "The changes to a learning must be an object", {
      hint: "such as { confidence: 0.9 }",
    });
  }
  const changes = Object.fromEntries(
    Object.entries(updates).filter(([name, value]) => !fixedFields.includes(name) && value !== undefined),
  ) as Partial<Learning>;
  if (changes.type !== undefined) checkType(changes.type);
  if (changes.confidence !== undefined) checkFraction("confidence", changes.confidence);
  if (changes.successRate !== undefined) checkFraction("success rate", changes.successRate);
  return store.transaction(async (tx) => {
    const learning = await getLearning(tx, id);
    const changed = redactDeep({ ...learning, ...changes, updatedAt: clock().toISOString() });
    const problem = learningProblem(changed);
    if (problem !== undefined)
      throw new RalphError("wrong-use", `The change would make ${learning.id} invalid: ${problem}`);
    await saveLearning(tx, changed);
    return changed;
  });
}

/** False when there is no such learning. A later import or promotion does not bring it back. */
export async function deleteLearning({ store, clock }: SemanticContext, id: string): Promise<boolean> {
  return store.transaction((tx) => removeLearning(tx, id, clock().toISOString()));
}

export async function clearLearnings({ store }: Pick<SemanticContext, "store">): Promise<number> {
  return store.transaction(removeAllLearnings);
}

export async function knowledgeStats({ store }: Pick<SemanticContext, "store">): Promise<KnowledgeStats> {
  const totals = await store.learnings.totals();
  return {
    totalSize: totals.count,
    lastUpdated: totals.lastUpdated ?? null,
    averageConfidence: totals.averageConfidence,
    averageSuccessRate: totals.averageSuccessRate,
    mostUsedLearning: (await store.learnings.findMostUsed())?.learning ?? null,
    byType: await store.learnings.countBy("type"),
    byTaskType: await store.learnings.countBy("task_type"),
  };
}

function checkCount(name: string, count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new RalphError("wrong-use", `${name} must be a whole number, 0 or more, not ${count}`);
}
