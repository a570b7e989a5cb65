import type { Runner } from "../../../domain/tasks/attempt.js";
import type { Run } from "../../../domain/tasks/run.js";
import { isRunHeld } from "../../../episodic/attempts/holders.js";
import { findMarked } from "../../../processes/end-processes.js";
import { stateOf } from "../../../processes/runner.js";
import type { Repositories } from "../../../store/store.js";

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
