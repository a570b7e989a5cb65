import { subjectOf } from "../../domain/tasks/action.js";
import type { IterationResult } from "../../domain/tasks/attempt.js";
import type { Run } from "../../domain/tasks/run.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import type { Repositories } from "../../store/store.js";

/** How far a run has come: short, as it is asked for again and again. */
export interface RunProgress {
  objective: string;
  attempt: number;
  /** When the attempt began; undefined before the first one. */
  started?: string;
  /** Of this attempt, without their texts. */
  iterations: IterationResult[];
  /** Number of actions of this attempt. */
  actions: number;
  /** Newest first. */
  lastActions: { timestamp: string; iteration: number; tool: string; subject: string; success: boolean }[];
}

const shownActions = 8;
const maxSubject = 200;

export async function progressOf(repositories: Repositories, { task_id: id }: Run): Promise<RunProgress> {
  const { number, description, current_attempt: current } = await getTask(repositories, id);
  const attempt = await repositories.attempts.find(number, current);
  if (attempt === undefined)
    return { objective: description, attempt: current, iterations: [], actions: 0, lastActions: [] };
  const [iterations, actions, newest] = await Promise.all([
    repositories.iterationResults.listVerdicts(attempt.key),
    repositories.actions.count(attempt.key),
    repositories.actions.listNewest(attempt.key, shownActions),
  ]);
  return {
    objective: description,
    attempt: current,
    started: attempt.started,
    iterations,
    actions,
    lastActions: newest.map(({ params, ...action }) => ({
      ...action,
      subject: subjectOf({ params }).slice(0, maxSubject),
    })),
  };
}
