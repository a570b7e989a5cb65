import type { EpisodicContext } from "../../../episodic/episodic-context.js";
import { listTasks, queryHistory, type TaskHistory } from "../../../episodic/history/query-history.js";
import { creditBrief, readShown } from "../../../semantic/credit-brief.js";
import { extractFromTask, type Finding, matchLessons } from "../../../semantic/extract/extract-from-task.js";
import type { Episode, TaskRecord } from "../../../semantic/extract/task-record.js";
import { groupDuplicates, mergeDuplicates, mergeGroups } from "../../../semantic/merge/merge-duplicates.js";
import type { SemanticContext } from "../../../semantic/semantic-context.js";
import {
  type Consolidated,
  consolidate,
  type PipelineResult,
  settleFindings,
} from "../../../semantic/staging/settle-findings.js";
import { inDryRun } from "../../../store/in-dry-run.js";
import type { Repositories } from "../../../store/store.js";
import { episodesOf, evidenceOf, isJudged } from "./task-lessons.js";
import { taskRecordOf } from "./task-record-of.js";

export interface TaskLessons extends PipelineResult {
  task_id: string;
}

export type LearningContext = EpisodicContext & SemanticContext;

/** What is learned waits for a person. */
export interface ReviewOption {
  isReviewed?: boolean | undefined;
}

/** Extracts learnings from a task and promotes them, or only stages them for review. */
export async function learnFromTask(
  context: LearningContext,
  taskId: string,
  { isReviewed = false }: ReviewOption = {},
): Promise<TaskLessons> {
  const history = await queryHistory(context, taskId, { isFull: true });
  return context.store.transaction((tx) => learnIn(tx, context, history, isReviewed));
}

async function learnIn(
  tx: Repositories,
  context: LearningContext,
  history: TaskHistory,
  isReviewed: boolean,
): Promise<TaskLessons> {
  const findings = extractFromTask(taskRecordOf(history));
  const { extracted, promoted, skipped, rejected } = await settleFindings(tx, context, findings, {
    isReviewed,
  });
  return {
    task_id: history.id,
    extracted,
    validated: isReviewed ? 0 : extracted - rejected,
    rejected,
    promoted,
    skipped,
  };
}

/** Credits the records that a finished task was shown, and learns from the task. */
export async function closeTask(
  context: LearningContext,
  taskId: string,
  { isReviewed = false }: ReviewOption,
): Promise<void> {
  const [history, shown] = await Promise.all([
    queryHistory(context, taskId, { isFull: true }),
    readShown(context.store, taskId),
  ]);
  const now = context.clock().toISOString();
  await context.store.transaction(async (tx) => {
    if (isJudged(history)) await creditBrief(tx, evidenceOf(history), shown, now);
    await learnIn(tx, context, history, isReviewed);
  });
}

/** Finds problems and patterns across tasks updated since a time. */
export async function consolidateTasks(
  context: LearningContext,
  {
    since,
    dryRun = false,
    isReviewed = false,
  }: { since: string; dryRun?: boolean | undefined } & ReviewOption,
): Promise<Consolidated> {
  const tasks = await listTasks(context, { since, includesArchived: true });
  const episodes: Episode[] = [];
  const findings: Finding[] = [];
  for (const { id } of tasks.toReversed()) {
    const history = await queryHistory(context, id, { isFull: true });
    const record = taskRecordOf(history);
    findings.push(...extractFromTask(record).filter(({ learning }) => learning.type !== "strategy"));
    episodes.push(...episodesOf(history).map((episode) => withoutMatched(episode, record)));
  }
  const recent = episodes.filter(({ ended }) => ended >= since);
  const { store, clock } = context;
  const now = clock().toISOString();
  const work = (tx: Repositories) => consolidate(tx, context, { episodes: recent, findings, isReviewed });
  if (dryRun)
    return inDryRun(store, async (tx) => ({ ...(await work(tx)), merged: await mergeDuplicates(tx, now) }));
  const result = await store.transaction(work);
  const duplicates = await groupDuplicates(store);
  if (duplicates.length === 0) return { ...result, merged: [] };
  return { ...result, merged: await store.transaction((tx) => mergeGroups(tx, duplicates, now)) };
}

/** What was said about a problem is part of that problem's learning, not a pattern of its own. */
function withoutMatched(episode: Episode, { problems }: TaskRecord): Episode {
  if (!episode.succeeded) return episode;
  const matched = matchLessons(episode.statements, problems);
  return { ...episode, statements: episode.statements.filter((statement) => !matched.has(statement)) };
}
