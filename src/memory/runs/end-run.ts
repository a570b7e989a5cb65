import { setTimeout as pause } from "node:timers/promises";
import type { Runner } from "../../domain/tasks/attempt.js";
import type { Run } from "../../domain/tasks/run.js";
import { isRunHeld } from "../../episodic/attempts/attempt-lease.js";
import { markInterrupted } from "../../episodic/attempts/interrupted-attempts.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import { endOrphanGroup, endStarted, findMarked } from "../../processes/end-processes.js";
import { isOnThisMachine, signalRunner, stateOf } from "../../processes/runner.js";
import type { Repositories } from "../../store/store.js";

/** `lease lapsed`: its process cannot be seen from here, and has given no sign of life. */
export type RunState = "running" | "running elsewhere" | "process gone" | "lease lapsed";

export interface RunLook {
  state: RunState;
  /** Nobody else may take over its task. */
  isHeld: boolean;
  /** Processes that it started and that still run, although it does not. */
  left: number[];
}

/** What is really running of an unfinished run. */
export async function lookAtRun(repositories: Repositories, run: Run, now: Date): Promise<RunLook> {
  const isHeld = await isRunHeld(repositories, run, now);
  return { state: runStateOf(run.runner, isHeld), isHeld, left: isHeld ? [] : processesLeftBy(run) };
}

/** What the process that does some work is known to be up to. */
export function runStateOf(runner: Runner | undefined, isHeld: boolean): RunState {
  const process = stateOf(runner);
  if (isHeld) return process === "running" ? "running" : "running elsewhere";
  return process === "gone" ? "process gone" : "lease lapsed";
}

export function processesLeftBy({ runner: { mark }, agent_process: agent }: Run): number[] {
  const marked = mark === undefined ? [] : findMarked(mark).map(({ pid }) => pid);
  const leader = agent !== undefined && stateOf(agent) === "running" ? [agent.pid] : [];
  return [...new Set([...leader, ...marked])];
}

export interface EndedProcesses {
  ended: number[];
  /** Why something may still be running here. */
  problems: string[];
  /** The agent's process, if it cannot be seen from here. */
  elsewhere?: Runner;
}

/** Ends what a run has left running, as far as it is provably of that run. */
export async function endProcessesOf(run: Run, graceMs: number): Promise<EndedProcesses> {
  const { agent_process: agent, runner } = run;
  const before = processesLeftBy(run);
  const problems: string[] = [];
  const isHere = agent === undefined || isOnThisMachine(agent);
  if (agent !== undefined) {
    const reason = await endOrphanGroup(agent, graceMs);
    if (reason !== undefined && isHere) problems.push(reason);
  }
  if (runner.mark !== undefined)
    for (const { pid } of await endStarted({ mark: runner.mark }, graceMs))
      problems.push(`process ${pid} could not be killed`);
  const left = new Set(before.length === 0 ? [] : processesLeftBy(run));
  const ended = before.filter((pid) => !left.has(pid));
  return { ended, problems, ...(!isHere && { elsewhere: agent }) };
}

/** Asks the process to stop, and waits; kills it after that if `force`. Returns whether it is gone. */
export async function endRunner(
  runner: Runner,
  { waitMs, force, hasEnded }: { waitMs: number; force: boolean; hasEnded: () => Promise<boolean> },
): Promise<boolean> {
  const isOver = async () => stateOf(runner) !== "running" || (await hasEnded());
  for (const signal of force ? (["SIGTERM", "SIGKILL"] as const) : (["SIGTERM"] as const)) {
    signalRunner(runner, signal);
    const end = performance.now() + waitMs;
    while (!(await isOver()) && performance.now() < end) await pause(pollMs);
    if (await isOver()) return true;
  }
  return false;
}

const pollMs = 100;

/** Records the end of a run that cannot do so itself, and of its attempt. */
export async function closeRun(context: EpisodicContext, run: Run, evidence: string): Promise<void> {
  const { store, clock, window, root } = context;
  await store.transaction(async (tx) => {
    const now = clock().toISOString();
    await tx.runs.end(run.id, { kind: "interrupted", evidence }, now);
    const task = await getTask(tx, run.task_id);
    const attempt = await tx.attempts.find(task.number, task.current_attempt);
    if (attempt !== undefined && attempt.ended === undefined && attempt.runKey === run.id)
      await markInterrupted(tx, task, attempt, { now, window, root });
  });
}
