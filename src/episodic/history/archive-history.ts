import { dayMs } from "../../domain/clock.js";
import { type Action, commandOf } from "../../domain/tasks/action.js";
import { taskIdOf } from "../../domain/tasks/task.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { Repositories } from "../../store/store.js";
import { packText, unpackText } from "../../store/stored-text.js";
import { counted } from "../../text/counted.js";
import type { EpisodicContext } from "../episodic-context.js";
import { indexTask } from "../tasks/index-task.js";
import { editedFiles, listFiles } from "../tasks/task-work.js";

interface ArchiveOptions {
  /** Only reports what would change. */
  dryRun?: boolean | undefined;
  /** Ids of tasks that visible records refer to. */
  listReferenced(tx: Repositories): Promise<ReadonlySet<string>>;
}

export interface Archived {
  /** Attempts that are shown as a summary from now on. */
  summarised: { task_id: string; attempt_id: number; ended: string }[];
  /** Tasks that are shown only on request. */
  archived: { task_id: string; updated: string }[];
  /** Old tasks that stay because something refers to them. */
  kept: string[];
}

const fullDays = 7;
const shownDays = 30;

/** Attempts are shown in full for a week, then as a summary; after a month the task is archived unless something refers to it. */
export async function archiveHistory(
  { store, clock }: EpisodicContext,
  { dryRun = false, listReferenced }: ArchiveOptions,
): Promise<Archived> {
  const now = clock();
  const before = (days: number) => new Date(now.getTime() - days * dayMs).toISOString();
  return store.transaction(async (tx) => {
    const attempts = await tx.attempts.listUnarchived(before(fullDays));
    const old = (
      await tx.tasks.list({ statuses: ["completed", "failed"], until: before(shownDays) })
    ).toReversed();
    const referenced = await listReferenced(tx);
    const archived: Archived["archived"] = [];
    const kept: string[] = [];
    for (const task of old) {
      if (referenced.has(task.id)) {
        kept.push(task.id);
        continue;
      }
      archived.push({ task_id: taskIdOf(task.number), updated: task.updated });
      if (dryRun) continue;
      await tx.tasks.archive(task.number, now.toISOString());
      await indexTask(tx, { ...task, archived: now.toISOString() });
    }
    if (!dryRun) for (const attempt of attempts) await packActions(tx, attempt);
    const summarised = attempts.map(({ task_id, id, ended = "" }) => ({ task_id, attempt_id: id, ended }));
    return { summarised, archived, kept };
  });
}

export async function listPackedActions(
  repositories: Repositories,
  { key }: StoredAttempt,
): Promise<Action[]> {
  const packed = await repositories.actions.findPacked(key);
  return packed === undefined ? [] : (JSON.parse(unpackText(packed)) as Action[]);
}

/** Compresses an attempt's actions and stores a summary to show. */
async function packActions(tx: Repositories, attempt: StoredAttempt): Promise<void> {
  const actions = await tx.actions.list(attempt.key);
  await tx.actions.replaceWithPacked(attempt.key, packText(JSON.stringify(actions)));
  await tx.attempts.saveSummary(attempt.key, summariseActions(actions));
}

function summariseActions(actions: readonly Action[]): string {
  if (actions.length === 0) return "no actions";
  const counts = new Map<string, number>();
  for (const { tool } of actions) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const tools = [...counts].sort((a, b) => b[1] - a[1]).map(([tool, count]) => `${count} ${tool}`);
  const failed = actions.filter(({ success }) => !success);
  const lastCommand = failed.findLast((action) => commandOf(action) !== undefined);
  const edited = editedFiles(actions);
  return [
    `${counted(actions.length, "action")} (${tools.join(", ")})`,
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
    ...(lastCommand === undefined ? [] : [`the last failing command was \`${commandOf(lastCommand)}\``]),
    ...(edited.length === 0 ? [] : [`edited ${listFiles(edited)}`]),
  ].join("; ");
}
