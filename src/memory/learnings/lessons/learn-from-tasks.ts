import type { EpisodicContext } from "../../../episodic/episodic-context.js";
import { listTasks, queryHistory, type TaskHistory } from "../../../episodic/history/query-history.js";
import type { Episode } from "../../../semantic/extract/episode.js";
import { extractLearnings } from "../../../semantic/extract/extract-learnings.js";
import { groupDuplicates, mergeDuplicates, mergeGroups } from "../../../semantic/merge/merge-duplicates.js";
import { creditBrief } from "../../../semantic/records/credit-brief.js";
import type { SemanticContext } from "../../../semantic/semantic-context.js";
import { type Consolidated, consolidate } from "../../../semantic/staging/consolidate.js";
import { type PipelineResult, stageAndPromote } from "../../../semantic/staging/run-pipeline.js";
import { validateLearning } from "../../../semantic/staging/validate-learning.js";
import { inDryRun } from "../../../store/in-dry-run.js";
import type { Repositories } from "../../../store/store.js";
import { episodesOf, evidenceOf, loopOf } from "./task-lessons.js";

export interface TaskLessons extends PipelineResult {
  task_id: string;
}

export type LearningContext = EpisodicContext & SemanticContext;

/** Files kept per learning. */
const maxFiles = 20;

/** Extracts learnings from a task and promotes them, or only stages them for review. */
export async function learnFromTask(
  context: LearningContext,
  taskId: string,
  { isReviewed = false }: { isReviewed?: boolean | undefined } = {},
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
  const [attempt] = history.attempts.slice(-1);
  const files = [...new Set(history.attempts.flatMap(({ context: { files_involved } }) => files_involved))];
  const details = {
    source_episodes: episodesOf(history).map(({ id }) => id),
    ...(files.length > 0 && { files: files.slice(0, maxFiles) }),
    ...(attempt?.git_commit && { git_commit: attempt.git_commit }),
  };
  const found = extractLearnings(loopOf(history)).map((learning) => ({ ...learning, ...details }));
  if (isReviewed)
    return { task_id: history.id, ...(await stageAndPromote(tx, context, found, { autoValidate: false })) };
  // Rejected learnings are not staged: nobody would look at them, and they can be extracted again.
  const valid = found.filter((learning) => validateLearning(learning).valid);
  const result = await stageAndPromote(tx, context, valid, {});
  return {
    task_id: history.id,
    ...result,
    extracted: found.length,
    rejected: found.length - valid.length,
  };
}

/** Credits the records that a finished task was shown, and learns from the task. */
export async function closeTask(
  context: LearningContext,
  taskId: string,
  { isReviewed }: { isReviewed: boolean },
): Promise<void> {
  const history = await queryHistory(context, taskId, { isFull: true });
  const now = context.clock().toISOString();
  await context.store.transaction(async (tx) => {
    await creditBrief(tx, evidenceOf(history), now);
    await learnIn(tx, context, history, isReviewed);
    if (!isReviewed) await consolidate(tx, context, episodesOf(history));
  });
}

/** Finds patterns across tasks updated since a time. */
export async function consolidateTasks(
  context: LearningContext,
  { since, dryRun = false }: { since: string; dryRun?: boolean | undefined },
): Promise<Consolidated> {
  const tasks = await listTasks(context, { since, includesArchived: true });
  const episodes: Episode[] = [];
  for (const { id } of tasks.toReversed())
    episodes.push(...episodesOf(await queryHistory(context, id, { isFull: true })));
  const recent = episodes.filter(({ ended }) => ended >= since);
  const { store, clock } = context;
  const now = clock().toISOString();
  const work = (tx: Repositories) => consolidate(tx, context, recent);
  if (dryRun)
    return inDryRun(store, async (tx) => ({ ...(await work(tx)), merged: await mergeDuplicates(tx, now) }));
  const result = await store.transaction(work);
  const duplicates = await groupDuplicates(store);
  if (duplicates.length === 0) return { ...result, merged: [] };
  return { ...result, merged: await store.transaction((tx) => mergeGroups(tx, duplicates, now)) };
}
