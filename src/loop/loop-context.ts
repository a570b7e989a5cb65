import type { AgentDefinition } from "../agents/agent-definition.js";
import type { Settings } from "../config/default-settings.js";
import type { Clock } from "../domain/clock.js";
import type { Environment } from "../domain/environment.js";
import type { RunOptions } from "../domain/tasks/run.js";
import type { Task } from "../domain/tasks/task.js";
import type { Memory } from "../memory/memory.js";
import type { RunVerbs } from "../memory/runs/runs.js";
import type { Meter } from "./ends/meter.js";
import type { LoopEvent } from "./loop-event.js";

/** Dependencies of a run. */
export interface LoopDependencies {
  memory: Memory;
  /** The agent's working directory. */
  root: string;
  environment: Environment;
  clock: Clock;
  emit(event: LoopEvent): void;
  /** Asks the run to stop. */
  stop: AbortSignal;
  /** Kills it. */
  kill: AbortSignal;
}

/** A run in progress. */
export interface LoopContext extends LoopDependencies {
  runs: RunVerbs;
  runId: number;
  task: Task;
  options: RunOptions;
  settings: Settings;
  agent: AgentDefinition;
  meter: Meter;
  /** Cost before the run was interrupted. */
  spentBeforeUsd: number;
  /** In milliseconds since the epoch. */
  deadline: number;
}

/** Total cost in USD, including the cost before an interruption. */
export function spentOf({ meter, spentBeforeUsd }: Pick<LoopContext, "meter" | "spentBeforeUsd">): number {
  return spentBeforeUsd + (meter.total().costUsd ?? 0);
}
