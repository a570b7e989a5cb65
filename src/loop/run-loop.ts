import type { AgentDefinition } from "../agents/agent-definition.js";
import type { Settings } from "../config/default-settings.js";
import { adviceOf } from "../domain/knowledge/statement.js";
import { messageOf, RalphError } from "../domain/ralph-error.js";
import { interrupted } from "../domain/tasks/attempt.js";
import type { Reflection } from "../domain/tasks/reflection.js";
import { type RunEnd, type RunOptions, reportUsage, runEndEffects } from "../domain/tasks/run.js";
import type { Task } from "../domain/tasks/task.js";
import { findFailures } from "../failures/find-failures.js";
import { type AdoptedAttempt, runsOf } from "../memory/runs/runs.js";
import { thisRunner } from "../processes/runner.js";
import { isRedacted } from "../text/secrets/mark.js";
import { redactDeep } from "../text/secrets/redact.js";
import { keepLease } from "./keep-lease.js";
import { type LoopContext, type LoopDependencies, openMeter } from "./loop-context.js";
import type { LearnedLine, LoopEvent } from "./loop-event.js";
import { type AttemptPlace, type AttemptRun, runAttempt } from "./run-attempt.js";
import type { Feedback } from "./run-iteration.js";
import { type Worktree, worktreeSteps } from "./start/make-worktree.js";

export interface LoopInput {
  task: Task;
  options: RunOptions;
  settings: Settings;
  agent: AgentDefinition;
  /** State of the interrupted run. */
  resumed?: Resumed;
  /** Made for this run; the options contain its folder and branch. */
  worktree?: Worktree | undefined;
  /** Allows another run in the same working tree. */
  isForced?: boolean | undefined;
}

/** What an interrupted run had used up, and where it stopped. */
export interface Resumed {
  /** The new run, which already holds the task. */
  runId: number;
  /** Warnings for the user. */
  problems: readonly string[];
  /** Finished attempts. */
  attempts: number;
  /** Iterations of the interrupted attempt. */
  iterations: number;
  spentUsd: number;
  adopted:
    | (AdoptedAttempt & {
        /** Output of the last verification. */
        output: string | undefined;
        /** Handoffs of other agents, as prompt text. */
        introduction: string;
      })
    | undefined;
}

export interface LoopResult {
  task_id: string;
  end: RunEnd;
  exitStatus: number;
}

/** Runs an agent repeatedly, each time with a fresh context and relevant memories, until the task is verified or a limit is reached. */
export function runLoop(around: LoopDependencies, input: LoopInput): Promise<LoopResult> {
  return runsOf(around.memory).redacting(() => runWith(around, input));
}

async function runWith(around: LoopDependencies, input: LoopInput): Promise<LoopResult> {
  const surroundings = { ...around, emit: (event: LoopEvent) => around.emit(redactDeep(event)) };
  const { memory, clock, emit } = surroundings;
  const runs = runsOf(memory);
  const { task, options, resumed } = input;
  const startedMs = clock().getTime();
  const runId =
    resumed?.runId ?? (await runs.begin(task.id, options, thisRunner(), { force: input.isForced }));
  const lease = keepLease(runs, runId);
  const context: LoopContext = {
    ...surroundings,
    ...input,
    stop: AbortSignal.any([surroundings.stop, lease.lost]),
    // Another agent may already be working on the task.
    kill: AbortSignal.any([surroundings.kill, lease.lost]),
    runs,
    runId,
    meter: openMeter(),
    spentBeforeUsd: resumed?.spentUsd ?? 0,
    deadline: startedMs + options.timeoutMs,
  };
  const changedFiles = new Set<string>();
  let attempts = 0;
  let end: RunEnd | undefined;
  let last: AttemptRun | undefined;
  let advice: string | undefined;
  let cause: string | undefined;
  let failure: { error: unknown } | undefined;
  try {
    emit({
      event: "run-started",
      task_id: task.id,
      objective: task.description,
      agent: options.agent,
      verify: options.verify,
      max_iterations: options.maxIterations,
      attempts: options.attempts,
      resumed: resumed !== undefined,
    });
    if (input.worktree !== undefined) emit({ event: "worktree", ...input.worktree });
    for (const message of resumed?.problems ?? []) emit({ event: "problem", message });
    do {
      attempts += 1;
      last = await runOneAttempt(context, attempts === 1 ? resumed : undefined, last);
      for (const file of last.changedFiles) changedFiles.add(file);
      ({ end, advice, cause } = last);
    } while ((resumed?.attempts ?? 0) + attempts < options.attempts && isWorthAnother(end));
  } catch (error) {
    failure = { error };
    end = { kind: isTakenOver(error) ? "interrupted" : "failed", evidence: messageOf(error) };
  }
  lease.close();
  await runs.end(runId, redactDeep(end)).catch((error: unknown) => {
    failure ??= { error };
  });
  emit({
    event: "run-ended",
    task_id: task.id,
    end,
    ...(cause !== undefined && end.kind !== "completed" && { cause }),
    attempts,
    iterations: context.meter.iterations(),
    resumed: resumed !== undefined,
    elapsed_ms: clock().getTime() - startedMs,
    usage: reportUsage(context.meter.total()),
    changed_files: [...changedFiles],
    learned: await learnedSince(context, startedMs).catch(() => []),
    ...worktreeOf(options),
    next: isTakenOver(failure?.error) ? "ralph status" : nextStep(task.id, end, { advice, options }),
  });
  if (failure !== undefined) throw failure.error;
  // An interrupted user should not have to wait.
  if (end.kind !== "interrupted") await runs.embedPending();
  return { task_id: task.id, end, exitStatus: runEndEffects[end.kind].exitStatus };
}

function worktreeOf({ folder, branch }: RunOptions) {
  if (folder === undefined || branch === undefined) return {};
  return { worktree: { folder, branch, ...worktreeSteps({ folder, branch }) } };
}

async function runOneAttempt(
  context: LoopContext,
  resumed: LoopInput["resumed"],
  before: AttemptRun | undefined,
): Promise<AttemptRun> {
  const place = await beginAttempt(context, resumed, before);
  try {
    const run = await runAttempt(context, place);
    await recordAttempt(context, place.attempt, run);
    return run;
  } catch (error) {
    await recordFailure(context, error);
    throw error;
  }
}

async function beginAttempt(
  { memory, task, options, emit, agent, runId }: LoopContext,
  resumed: LoopInput["resumed"],
  before: AttemptRun | undefined,
): Promise<AttemptPlace> {
  const lastIteration = Math.max(1, options.maxIterations - (resumed?.iterations ?? 0));
  if (resumed?.adopted !== undefined) {
    const { attemptId: attempt, iterations, output, introduction } = resumed.adopted;
    emit({ event: "attempt-started", attempt, reflections: 0, memory_capacity: 0 });
    return {
      attempt,
      firstIteration: iterations + 1,
      lastIteration: Math.max(lastIteration, iterations + 1),
      handoffs: introduction === "" ? [] : [introduction],
      before: output ? { text: output, failures: findFailures(output), files: [] } : undefined,
    };
  }
  const started = await memory.tasks.start(task.id, {
    agent: agent.name,
    memory: options.memory,
    runner: thisRunner(),
    runId,
    hasBrief: false,
  });
  emit({
    event: "attempt-started",
    attempt: started.attemptId,
    reflections: started.reflections.length,
    memory_capacity: started.memoryCapacity,
  });
  return {
    attempt: started.attemptId,
    firstIteration: 1,
    lastIteration,
    handoffs: started.handoffTexts,
    before: before && feedbackAfter(before),
  };
}

/** The output of the previous attempt's last verification: its context is gone, but its problems are not. */
function feedbackAfter({ end: { evidence }, output, failures, files }: AttemptRun): Feedback {
  const ended = `The previous attempt ended: ${evidence}.`;
  return { text: [ended, output].filter((text) => text !== "").join("\n\n"), failures, files };
}

/** A limit of the whole run, or a crashing agent, would end the next attempt too. */
export function isWorthAnother({ kind }: Pick<RunEnd, "kind">): boolean {
  return kind === "exhausted" || kind === "stalled";
}

/** Records the attempt as failed, if possible. */
async function recordFailure({ memory, task, runId }: LoopContext, error: unknown): Promise<void> {
  const evidence = messageOf(error);
  await memory.tasks
    .complete(task.id, { outcome: "failure", reason: `failed: ${evidence}`, runId })
    .catch(() => undefined);
}

function isTakenOver(error: unknown): boolean {
  return error instanceof RalphError && error.code === "taken-over";
}

/** New learnings, and known ones that the run confirmed. */
async function learnedSince({ runs, task }: LoopContext, startedMs: number): Promise<LearnedLine[]> {
  const learnings = await runs.learnedFrom(task.id);
  return learnings
    .filter(({ updatedAt }) => Date.parse(updatedAt) >= startedMs)
    .map((learning) => ({
      id: learning.id,
      type: learning.type,
      statement: adviceOf(learning),
      isNew: Date.parse(learning.createdAt) >= startedMs,
    }));
}

/** The command that continues the run, and what to do first. */
export function nextStep(
  taskId: string,
  { kind }: Pick<RunEnd, "kind">,
  { advice, options }: { advice?: string | undefined; options: Pick<RunOptions, "verify"> },
): string {
  if (kind === "completed") return `ralph history ${taskId}`;
  // The redacted command of such a check cannot be run.
  const isResumable = !options.verify.some((command) => isRedacted(redactDeep(command)));
  const resuming = isResumable
    ? `ralph resume ${taskId}`
    : "ralph run again, with the secret of its check in an environment variable";
  if (advice !== undefined) return `${advice}, then ${resuming}`;
  return kind === "interrupted" ? resuming : `ralph history ${taskId} --reflections, then ${resuming}`;
}

/** Records the end of the attempt, learns from it, and updates the continuity file and the ledger. */
async function recordAttempt(context: LoopContext, attempt: number, run: AttemptRun): Promise<void> {
  const { memory, task, emit, agent } = context;
  const { end, limit, verdict, output, failures, quality, changedFiles, commit, learned } = run;
  const { outcome, status } = runEndEffects[end.kind];
  const { reflection, degraded = [] } = await memory.tasks.complete(task.id, {
    runId: context.runId,
    outcome,
    status,
    reason: end.kind === interrupted || limit !== undefined ? end.kind : `${end.kind}: ${end.evidence}`,
    limit,
    verdict: limit === undefined ? undefined : verdict,
    output,
    failures,
    quality,
    files: changedFiles,
    artifacts: changedFiles,
    gitCommit: commit,
    whatWorked: learned,
  });
  for (const message of degraded) emit({ event: "problem", message });
  emit({ event: "attempt-ended", attempt, end, ...(reflection && { reflection: reflectionOf(reflection) }) });
  for (const refresh of [
    () => memory.working.updateContinuity({ taskId: task.id }),
    () => memory.working.checkpoint(agent.name, { taskId: task.id }),
  ]) {
    await refresh().catch((error: unknown) => emit({ event: "problem", message: messageOf(error) }));
  }
}

function reflectionOf({ observation, learning, action_items }: Reflection) {
  return { observation, learning, action_items };
}
