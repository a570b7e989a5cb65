import { isVerdict, type Milestone } from "../../domain/tasks/action.js";
import { isLearnedLine } from "../../domain/tasks/agent-text.js";
import type { IterationResult } from "../../domain/tasks/attempt.js";
import { saysSomething } from "../../domain/tasks/reflection.js";
import { describeFailure, type Failure } from "../../failures/failure.js";
import { failuresOf, findFailures, readActionsOnce } from "../../failures/find-failures.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { clipMessage, clipOutput } from "../../text/secrets/clip-output.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { EndingContext, EpisodicContext } from "../episodic-context.js";
import { improveReflections } from "../reflections/improve-reflection.js";
import { rateReflections } from "../reflections/rate-reflections.js";
import { reflectByRules } from "../reflections/reflect-by-rules.js";
import type { PreviousWork, WorkReport } from "../reflections/work-report.js";
import { errorsSolvedBy, traceTask } from "../resolutions/resolve-errors.js";
import type { AttemptWork } from "../tasks/task-work.js";
import { scaleWindow } from "../window/scale-window.js";
import { capacityOf } from "../window/window.js";
import { checkIteration, checkQuality } from "./check-result.js";
import { previousWorkOf } from "./end-attempt.js";
import { getHeldAttempt } from "./holders.js";

/** How an iteration ended, as its runner knows it. */
export interface IterationEnd extends Omit<IterationResult, "timestamp"> {
  /** What the runner says about the work, such as which command failed. */
  verdict?: string | undefined;
  /** The failures in the output, if the runner has parsed it. */
  failures?: readonly Failure[] | undefined;
  /** The same of the iteration before. */
  previous?: { iteration: number; failures: readonly Failure[] } | undefined;
  /** Files that changed during the iteration. */
  changedFiles?: readonly string[] | undefined;
  /** Recorded together with the result. */
  milestone?: Omit<Milestone, "timestamp"> | undefined;
  /** The run that records it; refused if that run no longer holds the task. */
  runId?: number | undefined;
}

export interface EndedIteration {
  /** Why the rules' reflection was kept although a model should have written one. */
  degraded?: string[];
}

/** Records how an iteration of the running attempt ended, rates the previous reflection, and reflects on a failure. */
export async function endIteration(
  context: EpisodicContext,
  taskId: string,
  given: IterationEnd,
): Promise<EndedIteration> {
  const { store, clock, window } = context;
  const { milestone, runId, ...end } = storableEnd(given);
  const now = clock().toISOString();
  const report = await store.transaction(async (tx) => {
    const { task, attempt } = await getHeldAttempt(tx, taskId, runId, clock());
    await tx.attempts.countActions(attempt.key, 0, end.iteration);
    if (milestone !== undefined)
      await tx.actions.recordMilestone(attempt.key, { timestamp: now, ...milestone });
    return recordIterationEnd(tx, task, attempt, end, { now, window });
  });
  const degraded = report === undefined ? [] : await improveReflections(context, [report]);
  return degraded.length === 0 ? {} : { degraded };
}

function storableEnd({ output, said, ...end }: IterationEnd): IterationEnd {
  checkIteration(end.iteration);
  checkQuality(end.quality);
  return {
    ...redactDeep(end),
    ...(output !== undefined && { output: clipOutput(output) }),
    ...(said !== undefined && { said: clipMessage(said, isLearnedLine) }),
  };
}

/** The same inside a transaction. Returns the report to reflect on when the iteration failed. */
export async function recordIterationEnd(
  tx: Repositories,
  task: StoredTask,
  attempt: StoredAttempt,
  end: IterationEnd,
  { now, window }: Omit<EndingContext, "root">,
): Promise<WorkReport | undefined> {
  await tx.iterationResults.record(attempt.key, { ...end, timestamp: now });
  if (end.success === undefined) return undefined;
  const [attempts, reflections] = await Promise.all([
    readAttempts(tx, task, attempt),
    tx.reflections.listForAttempt(task.number, attempt.id),
  ]);
  const report = reportOf(task, attempt, end, attempts);
  const ofIteration = (iteration: number) =>
    reflections.filter((each) => each.triggered_by === "iteration" && each.iteration === iteration);
  const isShown = (attempt.execution.memory_capacity ?? capacityOf(undefined, task, window)) > 0;
  if (isShown) await rateReflections(tx, ofIteration(end.iteration - 1).filter(saysSomething), report);
  await scaleWindow(tx, task, attempts, { attemptId: attempt.id, window, now });
  if (end.success) return undefined;
  const reflection = reflectByRules(report, now);
  const [known] = ofIteration(end.iteration);
  if (reflection === undefined) return report;
  if (known === undefined) await tx.reflections.record(task.number, reflection);
  else await tx.reflections.rewrite(known.key, reflection);
  return report;
}

/** All attempts with the results of their iterations; the actions only of the one that goes on. */
async function readAttempts(
  tx: Repositories,
  task: StoredTask,
  { key }: StoredAttempt,
): Promise<AttemptWork[]> {
  const [attempts, actions, results] = await Promise.all([
    tx.attempts.list(task.number),
    tx.actions.list(key),
    tx.iterationResults.listForTask(task.number),
  ]);
  return attempts.map((attempt) => ({
    ...attempt,
    actions: attempt.key === key ? actions : [],
    results: results.get(attempt.key) ?? [],
  }));
}

function reportOf(
  task: StoredTask,
  attempt: StoredAttempt,
  { iteration, success, quality, output, verdict, changedFiles, ...parsed }: IterationEnd,
  attempts: readonly AttemptWork[],
): WorkReport {
  const { actions = [], results = [] } = attempts.find(({ id }) => id === attempt.id) ?? {};
  const readAction = readActionsOnce();
  // Checks are not the agent's work, and their output is that of the iteration.
  const inIteration = (number: number) =>
    actions.filter((action) => action.iteration === number && !isVerdict(action));
  return {
    task,
    attemptId: attempt.id,
    iteration,
    iterations: Math.max(attempt.execution.iterations, iteration),
    outcome: success ? "success" : "failure",
    verdict,
    quality,
    whatWorked: [],
    output,
    actions: inIteration(iteration),
    changedFiles,
    failures: failuresOf(parsed.failures ?? findFailures(output ?? ""), inIteration(iteration), readAction),
    resolved: errorsSolvedBy(
      traceTask([{ ...attempt, actions: inIteration(iteration), results: [] }], readAction),
      inIteration(iteration),
    ),
    previous: findPrevious(),
  };

  function findPrevious(): PreviousWork | undefined {
    const last = results.findLast((each) => each.iteration < iteration);
    if (last === undefined) {
      const earlier = attempts.find(({ id }) => id === attempt.id - 1);
      return earlier && previousWorkOf(earlier);
    }
    const { previous } = parsed;
    const fromOutput = () =>
      previous?.iteration === last.iteration ? previous.failures : findFailures(last.output ?? "");
    return {
      name: `iteration ${last.iteration}`,
      actions: inIteration(last.iteration),
      errors: last.success ? [] : failuresOf(fromOutput(), inIteration(last.iteration)).map(describeFailure),
      quality: last.quality,
    };
  }
}
