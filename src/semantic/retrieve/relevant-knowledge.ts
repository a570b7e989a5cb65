import type { Complexity, Learning, LearningType } from "../../domain/knowledge/learning.js";
import type { LearningRow } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import { classifyTask } from "../classify/classify-task.js";
import { isIntactRow } from "../integrity/checksum.js";
import { minConfidence } from "../learning-limits.js";
import { formatSummary } from "./format-summary.js";
import { matchesErrors, matchesFiles } from "./learning-matches.js";
import { relevance } from "./relevance.js";

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
  const knowledge = {
    strategies: withoutRelevance((await ranked("strategy")).filter((each) => isFor(each, taskType))).slice(
      0,
      limits.strategies,
    ),
    antipatterns: await antiPatterns(repositories, context, now),
    estimates: withoutRelevance(
      (await ranked("estimate")).filter((each) => each.taskType === taskType),
    ).slice(0, limits.estimates),
    conventions: filesFirst(withoutRelevance(await ranked("convention")), context.filePatterns ?? []).slice(
      0,
      limits.conventions,
    ),
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
  const boosted = ranked.map((learning) => ({
    ...learning,
    relevance: learning.relevance + (matchesErrors(learning, errorPatterns) ? errorBoost : 0),
  }));
  return withoutRelevance(boosted.toSorted((one, other) => other.relevance - one.relevance)).slice(
    0,
    limits.antipatterns,
  );
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
  const candidates: Learning[] = [];
  for (const type of types)
    candidates.push(...(await candidatesOf(repositories, type, taskType, Math.max(poolSize, limit))));
  return rank(candidates, taskType, now).slice(0, limit);
}

/** The best learnings of a type, those of this task type first. */
async function candidatesOf(
  repositories: Repositories,
  type: LearningType,
  taskType: string,
  limit: number = poolSize,
): Promise<Learning[]> {
  const filter = { types: [type], minConfidence, limit };
  const own = await repositories.learnings.list({ ...filter, taskTypes: [taskType] });
  const any = await repositories.learnings.list(filter);
  const known = new Map(intactOf([...own, ...any]).map((learning) => [learning.id, learning]));
  return [...known.values()];
}

/** Without those that were altered outside Ralph. */
function intactOf(rows: readonly LearningRow[]): Learning[] {
  return rows.filter(isIntactRow).map(({ learning }) => learning);
}

function rank(learnings: readonly Learning[], taskType: string, now: Date): RankedLearning[] {
  return learnings
    .map((learning) => ({ ...learning, relevance: relevance(learning, { taskType, now }) }))
    .toSorted((one, other) => other.relevance - one.relevance);
}

function withoutRelevance(ranked: readonly RankedLearning[]): Learning[] {
  return ranked.map(({ relevance: _relevance, ...learning }) => learning);
}

function isFor({ taskType }: Learning, wanted: string): boolean {
  return taskType === wanted || taskType === "general";
}

function filesFirst(conventions: readonly Learning[], filePatterns: readonly string[]): Learning[] {
  if (filePatterns.length === 0) return [...conventions];
  const rankOf = (learning: Learning) => (matchesFiles(learning, filePatterns) ? 0 : 1);
  return conventions.toSorted((one, other) => rankOf(one) - rankOf(other));
}
