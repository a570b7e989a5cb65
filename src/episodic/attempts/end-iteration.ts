import { type Action, commandOf, isVerdict, type Milestone } from "../../domain/tasks/action.js";
import { isLearnedLine, learnedLines } from "../../domain/tasks/agent-text.js";
import { type IterationResult, interrupted } from "../../domain/tasks/attempt.js";
import { judgesWork } from "../../domain/tasks/command-kind.js";
import { saysSomething } from "../../domain/tasks/reflection.js";
import type { RunUsage } from "../../domain/tasks/run.js";
import { describeFailure, type Failure } from "../../failures/failure.js";
import { failuresOf, findFailures, readActionsOnce } from "../../failures/find-failures.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { clipMessage, clipOutput, startOf } from "../../text/secrets/clip-output.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { EndingContext, EpisodicContext } from "../episodic-context.js";
import { improveReflections } from "../reflections/improve-reflection.js";
import { rateReflections } from "../reflections/record-reflections.js";
import { reflectByRules } from "../reflections/reflect-by-rules.js";
import { capacityOf, scaleWindow } from "../reflections/reflection-window.js";
import type { PreviousWork, WorkReport } from "../reflections/work-report.js";
import { errorsSolvedBy, traceTask } from "../resolutions/resolve-errors.js";
import type { AttemptWork } from "../tasks/task-work.js";
import { getHeldAttempt } from "./attempt-lease.js";
import { type AttemptResult, previousWorkOf } from "./end-attempt.js";
import {
  checkIteration,
  checkQuality,
  listKnownKeys,
  type NewAction,
  recordActions,
  toLogEntry,
} from "./storable-action.js";

/** How an iteration ended, as reported by its runner. */
export interface IterationEnd extends Omit<IterationResult, "timestamp"> {
  /** What the runner says about the work, such as which command failed. */
  verdict?: string | undefined;
  /** The failures in the output, if the runner has parsed it. */
  failures?: readonly Failure[] | undefined;
  /** The failures of the previous iteration. */
  previous?: { iteration: number; failures: readonly Failure[] } | undefined;
  /** Files that changed during the iteration. */
  changedFiles?: readonly string[] | undefined;
  /** Recorded together with the result. */
  milestone?: Omit<Milestone, "timestamp"> | undefined;
  /** Work known to the runner beyond what the agent logged, recorded in the same transaction. */
  work?: readonly NewAction[] | undefined;
  /** Iterations and usage of the run so far. */
  progress?: { iterations: number; usage: RunUsage } | undefined;
  /** The run that records it; rejected if that run no longer holds the task. */
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
  const { work = [], progress, runId, ...result } = given;
  const { milestone, ...end } = storableEnd(result);
  const entries = work.map(toLogEntry);
  const now = clock().toISOString();
  const report = await store.transaction(async (tx) => {
    const { task, attempt } = await getHeldAttempt(tx, taskId, runId, clock());
    await recordActions(tx, attempt, entries, await listKnownKeys(tx, taskId, entries));
    await tx.attempts.countActions(attempt.key, 0, end.iteration);
    if (milestone !== undefined)
      await tx.actions.recordMilestone(attempt.key, { timestamp: now, ...milestone });
    if (runId !== undefined && progress !== undefined)
      await tx.runs.saveProgress(runId, progress.iterations, progress.usage);
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

/** Like `endIteration`, inside a transaction. Returns the report to reflect on if the iteration failed. */
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

/** All attempts with the results of their iterations; actions only of the running one. */
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

/** Whether an action is a command that judges the work, such as tests. */
export function isJudging(action: Pick<Action, "params">): boolean {
  return judgesWork(commandOf(action) ?? "");
}

const maxCommand = 120;
const unchecked = "no check was run";

interface WorkToJudge {
  actions: readonly Action[];
  /** What the agent said at the end of each turn. */
  said?: readonly string[] | undefined;
  isInterrupted?: boolean | undefined;
}

/**
 * Guesses the outcome of work that nobody judged: by its last check, else by its last action; without actions it is no success. What the
 * agent says it learned is trusted if a check passed.
 */
export function judgeWork({ actions, said = [], isInterrupted = false }: WorkToJudge): AttemptResult {
  const check = actions.findLast(isJudging);
  if (check !== undefined) {
    const name = startOf(commandOf(check) ?? "", maxCommand);
    if (check.success) {
      const learned = learnedLines(said.join("\n"));
      const reason = `the last check of the session passed: ${name}`;
      return { outcome: "success", reason, ...(learned.length > 0 && { whatWorked: learned }) };
    }
    return {
      outcome: "failure",
      reason: `the last check of the session failed: ${name}`,
      output: [check.error, check.output].filter(Boolean).join("\n"),
    };
  }
  const last = actions.at(-1);
  if (isInterrupted || last === undefined) return { outcome: "failure", reason: interrupted };
  if (last.success) return { outcome: "success", reason: `${unchecked}, and nothing failed at the end` };
  return { outcome: "failure", reason: `${unchecked}, and the last action failed: ${last.tool}` };
}

/** An iteration without a verdict, and what the agent said at its end. */
export interface Turn {
  iteration: number;
  said: string;
  /** When, if that was before now. */
  at?: string | undefined;
}

/** Records what the agent said at the end of an iteration without a verdict. */
export async function endTurn(
  { store, clock }: Pick<EpisodicContext, "store" | "clock">,
  taskId: string,
  { iteration, said, at }: Turn,
): Promise<void> {
  await store.transaction(
    async (tx) => {
      const { attempt } = await getHeldAttempt(tx, taskId, undefined, clock());
      await tx.attempts.countActions(attempt.key, 0, iteration);
      await tx.iterationResults.record(attempt.key, {
        iteration,
        timestamp: at ?? clock().toISOString(),
        ...(said !== "" && { said: clipMessage(said, isLearnedLine) }),
      });
    },
    { holds: "attempt" },
  );
}
