import { dayMs } from "../../domain/clock.js";
import type { Learning, LearningType } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { LearningFilter } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { SemanticContext } from "../semantic-context.js";
import { learningProblem } from "./learning-problem.js";
import { checkFraction, checkType } from "./store-learning.js";
import {
  removeAllLearnings,
  removeLearning,
  replaceLearning,
  saveFigures,
  saveLearning,
} from "./write-learning.js";

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

const shownCandidates = 4;

/** Finds a learning by its id or a unique prefix of it. */
export async function getLearning(repositories: Repositories, id: string): Promise<Learning> {
  const exact = await repositories.learnings.find(id);
  if (exact !== undefined) return exact.learning;
  const prefix = id.startsWith("learn-") ? id : `learn-${id}`;
  const near = await repositories.learnings.listByPrefix(prefix, shownCandidates);
  const [first, second] = near;
  if (id === "" || first === undefined) {
    throw new RalphError("not-found", `Learning not found: ${id}`, {
      hint: '"ralph learnings list" shows all of them',
    });
  }
  if (second !== undefined) {
    throw new RalphError("ambiguous", `More than one learning starts with ${id}`, {
      hint: `use a longer prefix: ${near.map(({ learning }) => learning.id).join(", ")}`,
    });
  }
  return first.learning;
}

/** Keeps an altered learning as it is now. */
export async function acceptAltered(tx: Repositories, id: string): Promise<Learning> {
  const learning = await getLearning(tx, id);
  const problem = learningProblem(learning);
  if (problem !== undefined)
    throw new RalphError("wrong-use", `${learning.id} cannot be accepted: ${problem}`, {
      hint: `"ralph learnings restore --altered" takes it from a backup, "ralph learnings delete ${learning.id}" removes it`,
    });
  await replaceLearning(tx, learning);
  return learning;
}

export interface PruneOptions {
  /** Prunes learnings whose confidence or success rate is below this. */
  minQuality?: number | undefined;
  /** Prunes learnings that were not updated for more days than this. */
  staleDays?: number | undefined;
  /** Prunes learnings that were never used. */
  isUnusedToo?: boolean | undefined;
  dryRun?: boolean | undefined;
}

export interface PrunedLearning {
  learning: Learning;
  reason: string;
}

/** Removes learnings that match one of the options, each with the reason. */
export async function pruneLearnings(
  tx: Repositories,
  options: PruneOptions,
  now: Date,
): Promise<PrunedLearning[]> {
  const pruned = (await tx.learnings.listAll()).flatMap(({ learning }) => {
    const reason = reasonAgainst(learning, options, now);
    return reason === undefined ? [] : [{ learning, reason }];
  });
  if (!options.dryRun)
    for (const { learning } of pruned) await removeLearning(tx, learning.id, now.toISOString());
  return pruned;
}

function reasonAgainst(
  learning: Learning,
  { minQuality, staleDays, isUnusedToo }: PruneOptions,
  now: Date,
): string | undefined {
  const { type, confidence, successRate, updatedAt, useCount } = learning;
  if (minQuality !== undefined) {
    if (confidence < minQuality) return `confidence ${rounded(confidence)} is below ${minQuality}`;
    // The success rate of an antipattern is always 0.
    if (type !== "antipattern" && successRate < minQuality)
      return `success rate ${rounded(successRate)} is below ${minQuality}`;
  }
  const ageDays = Math.floor((now.getTime() - Date.parse(updatedAt)) / dayMs);
  if (staleDays !== undefined && ageDays > staleDays) return `not updated for ${ageDays} days`;
  return isUnusedToo && useCount === 0 ? "never used" : undefined;
}

function rounded(share: number): number {
  return Number(share.toFixed(4));
}
