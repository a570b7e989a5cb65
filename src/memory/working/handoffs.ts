import type { Outcome } from "../../domain/tasks/attempt.js";
import type { Handoff } from "../../domain/working.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import { editedFiles } from "../../episodic/tasks/task-work.js";
import { relativePath } from "../../files/relative-path.js";
import { topLearnings } from "../../semantic/retrieve/relevant-knowledge.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { describeGitState, readGitState } from "../../working/git-state.js";
import { buildHandoff, type HandoffFacts, type HandoffInput } from "../../working/handoff.js";
import type { MemoryAccess } from "../project/memory-access.js";
import type { StoreContext } from "../project/place.js";
import { findCurrentWork } from "../tasks/current-task.js";
import { findLedgerTask } from "./ledgers.js";

/** The number of recent attempts that a handoff covers. */
const coveredAttempts = 3;
const shownPatterns = 5;

export interface CreatedHandoff {
  handoff: Handoff;
  /** Whether this memory knows the receiver. */
  isReceiverKnown: boolean;
}

/** Hands work over to another agent, with facts from the records and Git. */
export async function createHandoff(
  { store, clock }: StoreContext,
  { root, actor }: Pick<MemoryAccess, "root" | "actor">,
  input: HandoffInput,
): Promise<CreatedHandoff> {
  const madeBy = await actor();
  const gitState = describeGitState(await readGitState(root));
  return store.transaction(async (tx) => {
    const task = await taskOf(tx, input);
    const recorded =
      task === undefined ? nothingRecorded : await recordedWork(tx, task, { root, now: clock() });
    const facts: HandoffFacts = { ...recorded, now: clock().toISOString(), madeBy, gitState };
    const handoff = await tx.handoffs.add(buildHandoff(input, facts));
    const isReceiverKnown =
      (await tx.tasks.isAgentKnown(input.to)) || (await tx.ledgers.find(input.to)) !== undefined;
    return { handoff, isReceiverKnown };
  });
}

/** Rejects an empty handoff before anything is created. */
export async function refuseEmptyHandoff(
  input: HandoffInput,
  repositories: Repositories | undefined,
): Promise<void> {
  if (repositories !== undefined && (await taskOf(repositories, input)) !== undefined) return;
  buildHandoff(input, { ...nothingRecorded, now: "", gitState: "" });
}

/** The given task, else the sender's current one, else that of its ledger, else its last one. */
async function taskOf(
  repositories: Repositories,
  { from, taskId }: HandoffInput,
): Promise<StoredTask | undefined> {
  if (taskId !== undefined) return getTask(repositories, taskId);
  return (
    (await findCurrentWork(repositories, from))?.task ??
    (await findLedgerTask(repositories, await repositories.ledgers.find(from))) ??
    (await repositories.tasks.list({ agent: from }, 1))[0]
  );
}

type RecordedWork = Omit<HandoffFacts, "now" | "madeBy" | "gitState">;

const nothingRecorded: RecordedWork = {
  artifacts: [],
  needsTesting: [],
  knownIssues: [],
  relevantPatterns: [],
};

async function recordedWork(
  tx: Repositories,
  task: StoredTask,
  { root, now }: { root: string; now: Date },
): Promise<RecordedWork> {
  const attempts = (await tx.attempts.list(task.number)).slice(-coveredAttempts);
  const last = attempts.at(-1);
  const files: string[] = [];
  for (const { key, artifacts_produced: artifacts } of attempts)
    files.push(...artifacts, ...editedFiles(await tx.actions.list(key)));
  const { description: objective, completion_criteria: criteria } = task;
  const isDone = task.status === "completed";
  const learned = await topLearnings(tx, { objective }, shownPatterns * 4, now);
  // An estimate is not a pattern to follow.
  const patterns = learned.filter(({ type }) => type !== "estimate");
  return {
    taskId: task.id,
    whatWasDone: describeWork(task, last),
    artifacts: files.map((file) => relativePath(root, file)),
    needsTesting: criteria === undefined || isDone ? [] : [criteria],
    knownIssues: last === undefined ? [] : issuesOf(last),
    relevantPatterns: patterns.slice(0, shownPatterns).map(({ id }) => id),
  };
}

function describeWork(task: StoredTask, last: StoredAttempt | undefined): string {
  const course =
    last === undefined
      ? "no attempt yet"
      : `${task.status} after ${counted(task.total_attempts, "attempt")}, the last one ${outcomeInWords(last.outcome)}`;
  const worked = last?.outcome?.what_worked ?? [];
  return [`${task.id}: ${task.description} (${course})`, ...worked.map((item) => `- ${item}`)].join("\n");
}

function outcomeInWords(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "in progress";
  return outcome.status === "success" ? "successful" : `ended as ${outcome.status}`;
}

/** The unresolved problems of the last attempt. */
function issuesOf({ outcome, errors_encountered: errors }: StoredAttempt): string[] {
  const open = errors.filter(({ resolution }) => resolution === undefined).map(({ message }) => message);
  const isFailed = outcome !== undefined && outcome.status !== "success";
  return [...(isFailed && outcome.reason ? [outcome.reason] : []), ...open];
}
