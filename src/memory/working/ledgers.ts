import { numberOfTaskId } from "../../domain/tasks/task.js";
import type { Ledger } from "../../domain/working.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import { editedFiles } from "../../episodic/tasks/task-work.js";
import { relativePath } from "../../files/relative-path.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { hasCommit, readGitState } from "../../working/git-state.js";
import { buildLedger, type Checkpoint } from "../../working/ledger.js";
import type { StoreContext } from "../project/place.js";
import { type CurrentWork, findCurrentWork, workOn } from "../tasks/current-task.js";

export interface LedgerView extends Ledger {
  /** Why it is stale. */
  stale?: string;
}

/** Records an agent's state: its report, its running attempt, and Git. */
export async function checkpointLedger(
  { store, clock }: StoreContext,
  root: string,
  agent: string,
  checkpoint: Checkpoint,
): Promise<Ledger> {
  const git = await readGitState(root);
  return store.transaction(async (tx) => {
    const before = await tx.ledgers.find(agent);
    const work = await workOf(tx, agent, checkpoint.taskId, before);
    const actions = work?.attempt === undefined ? [] : await tx.actions.list(work.attempt.key);
    const ledger = buildLedger(
      {
        agent,
        now: clock().toISOString(),
        before,
        tasksCompleted: await tx.tasks.countCompletedBy(agent),
        currentTask: work?.task.id,
        editedFiles: editedFiles(actions).map((file) => relativePath(root, file)),
        git,
      },
      checkpoint,
    );
    await tx.ledgers.save(ledger);
    return ledger;
  });
}

/** The given task, else the current one, else that of the last checkpoint if it has not ended. */
async function workOf(
  tx: Repositories,
  agent: string,
  taskId: string | undefined,
  before: Ledger | undefined,
): Promise<CurrentWork | undefined> {
  if (taskId !== undefined) return workOn(tx, await getTask(tx, taskId));
  const work = await findCurrentWork(tx, agent);
  if (work !== undefined) return work;
  const last = await findLedgerTask(tx, before);
  return last === undefined || hasEnded(last.status) ? undefined : workOn(tx, last);
}

/** A ledger, with the reason if it is stale. */
export async function viewLedger(
  repositories: Repositories,
  root: string,
  ledger: Ledger,
): Promise<LedgerView> {
  const task = await findLedgerTask(repositories, ledger);
  const { last_git_commit: commit } = ledger.state;
  const reasons = [
    ...(task !== undefined && hasEnded(task.status) ? [`${task.id} has ended: ${task.status}`] : []),
    ...(commit !== undefined && (await hasCommit(root, commit)) === false
      ? [`commit ${commit} is not in this repository`]
      : []),
  ];
  return reasons.length === 0 ? ledger : { ...ledger, stale: reasons.join("; ") };
}

/** The agent's task according to its ledger. */
export async function findLedgerTask(
  repositories: Repositories,
  ledger: Ledger | undefined,
): Promise<StoredTask | undefined> {
  const number = ledger?.current_task === undefined ? undefined : numberOfTaskId(ledger.current_task);
  return number === undefined ? undefined : repositories.tasks.find(number);
}

function hasEnded(status: string): boolean {
  return status === "completed" || status === "failed";
}
