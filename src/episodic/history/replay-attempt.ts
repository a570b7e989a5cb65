import { secondsBetween } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Action } from "../../domain/tasks/action.js";
import { type IterationResult, pickAttempt } from "../../domain/tasks/attempt.js";
import { counted } from "../../text/counted.js";
import type { EpisodicContext } from "../episodic-context.js";
import { type AttemptHistory, queryHistory } from "./query-history.js";

/** One action of a replay. */
export interface ReplayStep extends Action {
  /** Counts from 1 within the attempt. */
  step: number;
  /** Seconds since the attempt began. */
  at_seconds: number;
  /** Seconds until the next action, or until the attempt ended. */
  took_seconds: number;
}

export interface Replay {
  task_id: string;
  description: string;
  attempt_id: number;
  outcome?: string;
  steps: ReplayStep[];
  /** What the agent said at the end of each iteration, and what was found. */
  iterations: IterationResult[];
}

/** The actions of an attempt, the last one by default, with their timing. */
export async function replayAttempt(
  context: EpisodicContext,
  taskId: string,
  { attempt: id, from = 1 }: { attempt?: number | undefined; from?: number | undefined },
): Promise<Replay> {
  const history = await queryHistory(context, taskId, { isFull: true });
  const attempt = pickAttempt(history, history.attempts, id);
  const steps = toSteps(attempt);
  if (from < 1 || from > Math.max(1, steps.length)) {
    throw new RalphError("wrong-use", `Attempt ${attempt.id} of ${history.id} has no step ${from}`, {
      hint: `it has ${counted(steps.length, "step")}`,
    });
  }
  return {
    task_id: history.id,
    description: history.description,
    attempt_id: attempt.id,
    ...(attempt.outcome && { outcome: attempt.outcome.status }),
    steps: steps.slice(from - 1),
    iterations: from === 1 ? attempt.results : attempt.results.filter(isAfter(steps[from - 1])),
  };
}

function isAfter(step: ReplayStep | undefined) {
  return ({ iteration }: IterationResult) => step === undefined || iteration >= step.iteration;
}

function toSteps({ started, ended, actions }: AttemptHistory): ReplayStep[] {
  return actions.map((action, index) => ({
    step: index + 1,
    at_seconds: secondsBetween(started, action.timestamp),
    took_seconds: secondsBetween(
      action.timestamp,
      actions[index + 1]?.timestamp ?? ended ?? action.timestamp,
    ),
    ...action,
  }));
}
