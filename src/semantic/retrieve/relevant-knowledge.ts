import { dayMs } from "../../domain/clock.js";
import type { Complexity, Learning, LearningType } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import type { LearningRow } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import { classifyTask } from "../classify-task.js";
import { nameFailure } from "../extract/extract-from-loop.js";
import { minConfidence } from "../learning-limits.js";
import { isIntactRow } from "../records/checksum.js";
import { formatSummary } from "./format-summary.js";

export interface KnowledgeContext {
  objective: string;
  /** By default, classified from the objective. */
  taskType?: string | undefined;
  filePatterns?: readonly string[] | undefined;
  errorPatterns?: readonly string[] | undefined;
  iteration?: number | undefined;
}

export interface RelevantKnowledge {
  strategies: Learning[];
  antipatterns: Learning[];
  estimates: Learning[];
  conventions: Learning[];
  /** Markdown for a prompt. */
  summary: string;
}

export interface RankedLearning extends Learning {
  relevance: number;
}

const limits = { strategies: 5, antipatterns: 5, estimates: 3, conventions: 5 } as const;
/** Candidates of each type that are ranked for a task. */
const poolSize = 40;
/** Relevance is at most 1, so learnings about the current errors always come first. */
const errorBoost = 1;

/** The most relevant learnings of each type for a task. */
export async function relevantKnowledge(
  repositories: Repositories,
  context: KnowledgeContext,
  now: Date,
): Promise<RelevantKnowledge> {
  const taskType = context.taskType ?? classifyTask(context.objective);
  const ranked = async (type: LearningType) =>
    rank(await candidatesOf(repositories, type, taskType), taskType, now);
  const strategies = (await ranked("strategy")).filter(({ learning }) => isFor(learning, taskType));
  const estimates = (await ranked("estimate")).filter(({ learning }) => learning.taskType === taskType);
  const conventions = filesFirst(await ranked("convention"), context.filePatterns ?? []);
  const knowledge = {
    strategies: intactOf(strategies, limits.strategies),
    antipatterns: await antiPatterns(repositories, context, now),
    estimates: intactOf(estimates, limits.estimates),
    conventions: intactOf(conventions, limits.conventions),
  };
  return { ...knowledge, summary: formatSummary(knowledge) };
}

/** Antipatterns; those about the current errors come first. */
export async function antiPatterns(
  repositories: Repositories,
  { objective, taskType = classifyTask(objective), errorPatterns = [] }: KnowledgeContext,
  now: Date,
): Promise<Learning[]> {
  const ranked = rank(await candidatesOf(repositories, "antipattern", taskType), taskType, now);
  const boosted = ranked.map((row) => ({
    ...row,
    relevance: row.relevance + (matchesErrors(row.learning, errorPatterns) ? errorBoost : 0),
  }));
  const best = boosted.toSorted((one, other) => other.relevance - one.relevance);
  return intactOf(best, limits.antipatterns);
}

/** Conventions whose pattern or examples mention these files. */
export async function fileConventions(
  repositories: Repositories,
  filePatterns: readonly string[],
): Promise<Learning[]> {
  const rows = await repositories.learnings.list({ types: ["convention"], limit: poolSize });
  return intactOf(rows).filter((learning) => matchesFiles(learning, filePatterns));
}

/** The most confident estimate for a task type and, if given, a complexity. */
export async function findEstimate(
  repositories: Repositories,
  taskType: string,
  complexity?: Complexity,
): Promise<Learning | undefined> {
  const rows = await repositories.learnings.list({ types: ["estimate"], taskTypes: [taskType] });
  return intactOf(rows)
    .filter(({ content }) => complexity === undefined || content.complexity === complexity)
    .toSorted((one, other) => other.confidence - one.confidence)[0];
}

/** The most relevant learnings of any type. */
export async function topLearnings(
  repositories: Repositories,
  { objective, taskType = classifyTask(objective) }: KnowledgeContext,
  limit: number,
  now: Date,
): Promise<RankedLearning[]> {
  const types: LearningType[] = ["strategy", "antipattern", "estimate", "convention", "pattern", "fact"];
  const candidates: LearningRow[] = [];
  for (const type of types)
    candidates.push(...(await candidatesOf(repositories, type, taskType, Math.max(poolSize, limit))));
  return firstIntact(rank(candidates, taskType, now), limit).map(({ learning, relevance }) => ({
    ...learning,
    relevance,
  }));
}

/** The best learnings of a type, those of this task type first. */
async function candidatesOf(
  repositories: Repositories,
  type: LearningType,
  taskType: string,
  limit: number = poolSize,
): Promise<LearningRow[]> {
  const filter = { types: [type], minConfidence, limit };
  const own = await repositories.learnings.list({ ...filter, taskTypes: [taskType] });
  const any = await repositories.learnings.list(filter);
  return [...new Map([...own, ...any].map((row) => [row.learning.id, row])).values()];
}

function intactOf(rows: readonly LearningRow[], limit?: number): Learning[] {
  return firstIntact(rows, limit).map(({ learning }) => learning);
}

/** The first of those that were not altered outside Ralph; to check one takes longer than to rank it. */
function firstIntact<Row extends LearningRow>(rows: readonly Row[], limit = Number.POSITIVE_INFINITY): Row[] {
  const intact: Row[] = [];
  for (const row of rows) {
    if (intact.length >= limit) break;
    if (isIntactRow(row)) intact.push(row);
  }
  return intact;
}

interface RankedRow extends LearningRow {
  relevance: number;
}

function rank(rows: readonly LearningRow[], taskType: string, now: Date): RankedRow[] {
  return rows
    .map((row) => ({ ...row, relevance: relevance(row.learning, { taskType, now }) }))
    .toSorted((one, other) => other.relevance - one.relevance);
}

function isFor({ taskType }: Learning, wanted: string): boolean {
  return taskType === wanted || taskType === "general";
}

function filesFirst(conventions: readonly RankedRow[], filePatterns: readonly string[]): RankedRow[] {
  if (filePatterns.length === 0) return [...conventions];
  const rankOf = ({ learning }: RankedRow) => (matchesFiles(learning, filePatterns) ? 0 : 1);
  return conventions.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Recency falls to 0 in this time. */
const recentDays = 90;

type Aged = Pick<Learning, "taskType" | "confidence" | "successRate" | "updatedAt">;

/** The relevance of a learning to a task type, from 0 to 1: confidence 40 %, type 30 %, success 20 %, recency 10 %. */
export function relevance(learning: Aged, context: { taskType: string; now: Date }): number {
  return (
    learning.confidence * 0.4 +
    (learning.taskType === context.taskType ? 0.3 : 0) +
    learning.successRate * 0.2 +
    recency(Date.parse(learning.updatedAt), context.now) * 0.1
  );
}

/** From 1 today to 0; 0 when the time is not a number. */
export function recency(time: number, now: Date): number {
  const ageDays = (now.getTime() - time) / dayMs;
  return Number.isNaN(ageDays) ? 0 : Math.min(1, Math.max(0, (recentDays - ageDays) / recentDays));
}

/** Whether a learning mentions one of these errors. */
function matchesErrors(learning: Learning, errors: readonly string[]): boolean {
  const statement = statementOf(learning).toLowerCase();
  return errors.some((error) => {
    const named = nameFailure(error)?.toLowerCase();
    return statement.includes(error.toLowerCase()) || (named !== undefined && statement.includes(named));
  });
}

/** Whether a convention mentions one of these file patterns. */
function matchesFiles({ content }: Learning, filePatterns: readonly string[]): boolean {
  const texts = [content.pattern ?? "", ...(content.examples ?? [])];
  return filePatterns.some((pattern) => texts.some((text) => text.includes(pattern)));
}
