import { isLearnedLine } from "../../domain/tasks/agent-text.js";
import { sessionTag } from "../../domain/tasks/task.js";
import { endAttempt } from "../../episodic/attempts/end-attempt.js";
import { judgeWork } from "../../episodic/attempts/end-iteration.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { clipMessage } from "../../text/secrets/clip-output.js";
import type { Session, Turn } from "../../transcripts/session.js";
import type { SessionTask } from "./session-tasks.js";
import { toActions } from "./to-actions.js";

export interface RecordedTask {
  task_id: string;
  isNew: boolean;
  actions: number;
  outcome: string;
  /** The time spent ending the attempt: tracing its failures and reflecting on it. */
  reflectMs: number;
}

/** Records one task of a session with its attempt. Later work in the session is another attempt at its task. */
export async function recordTask(
  tx: Repositories,
  { window, actor }: Pick<EpisodicContext, "window" | "actor">,
  { agent }: Pick<Session, "agent">,
  { uuid, objective, turns: given }: SessionTask,
  root: string,
): Promise<RecordedTask | undefined> {
  const turns = given.map((turn) => ({ ...turn, said: clipMessage(turn.said, isLearnedLine) }));
  const [first, end] = [turns[0], turns.at(-1)];
  if (first === undefined || end === undefined) return undefined;
  const known = await tx.tasks.findByUuid(uuid);
  const started = first.started;
  const madeBy = await actor?.();
  const task = known ?? (await addTask(tx, { uuid, objective, agent, started, madeBy }));
  const actions = toActions(turns, root);
  const id = task.total_attempts + 1;
  await tx.tasks.countAttempt(task.number, started);
  const key = await tx.attempts.add({
    taskNumber: task.number,
    id,
    started,
    plan: { approach: known === undefined ? task.description : clipMessage(first.prompt), steps: [] },
    agent,
    madeBy,
  });
  await tx.actions.recordAll(key, actions);
  await recordTurns(tx, key, turns, known === undefined);
  await tx.attempts.countActions(key, actions.length, turns.length);
  const attempt = await tx.attempts.find(task.number, id);
  if (attempt === undefined) throw new Error(`Attempt ${id} of ${task.id} vanished`);
  const result = judgeWork({
    actions: actions.map(({ action }) => action),
    said: turns.map(({ said }) => said),
    isInterrupted: end.isInterrupted,
  });
  const start = performance.now();
  await endAttempt(tx, task, attempt, result, { now: end.ended, window, root });
  return {
    task_id: task.id,
    isNew: known === undefined,
    actions: actions.length,
    outcome: result.outcome,
    reflectMs: performance.now() - start,
  };
}

interface NewSessionTask extends Pick<SessionTask, "uuid" | "objective">, Pick<Session, "agent"> {
  started: string;
  madeBy: string | undefined;
}

function addTask(
  tx: Repositories,
  { uuid, objective, agent, started, madeBy }: NewSessionTask,
): Promise<StoredTask> {
  return tx.tasks.add({
    uuid,
    description: clipMessage(objective),
    created: started,
    updated: started,
    status: "running",
    tags: [sessionTag],
    related_tasks: [],
    constraints: [],
    agent,
    ...(madeBy !== undefined && { made_by: madeBy }),
  });
}

/** Prompts after a task's first one are recorded as milestones: what the user wanted next. */
async function recordTurns(
  tx: Repositories,
  key: number,
  turns: readonly Turn[],
  isNew: boolean,
): Promise<void> {
  for (const [index, { prompt, started, ended, said }] of turns.entries()) {
    if (prompt !== "" && (index > 0 || !isNew))
      await tx.actions.recordMilestone(key, {
        timestamp: started,
        event: "prompt",
        details: clipMessage(prompt),
      });
    await tx.iterationResults.record(key, {
      iteration: index + 1,
      timestamp: ended,
      ...(said !== "" && { said }),
    });
  }
}
