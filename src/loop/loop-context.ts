import type { AgentDefinition } from "../agents/agent-definition.js";
import type { Settings } from "../config/default-settings.js";
import type { Clock } from "../domain/clock.js";
import type { Environment } from "../domain/environment.js";
import type { RunOptions } from "../domain/tasks/run.js";
import type { Task } from "../domain/tasks/task.js";
import type { Memory } from "../memory/memory.js";
import type { RunVerbs } from "../memory/runs/run-verbs.js";
import type { Meter } from "./ends/meter.js";
import type { LoopEvent } from "./loop-event.js";

/** What a run needs from outside. */
export interface LoopSurroundings {
  memory: Memory;
  /** Where the agent works. */
  root: string;
  environment: Environment;
  clock: Clock;
  emit(event: LoopEvent): void;
  /** Asks the run to end. */
  stop: AbortSignal;
  /** Ends it at once. */
  kill: AbortSignal;
}

/** A run that is under way. */
export interface LoopContext extends LoopSurroundings {
  runs: RunVerbs;
  runId: number;
  task: Task;
  options: RunOptions;
  settings: Settings;
  agent: AgentDefinition;
  meter: Meter;
  /** What the same run had spent before it was interrupted. */
  spentBeforeUsd: number;
  /** When the run has to end, in milliseconds of the clock. */
  deadline: number;
}

/** In all, with what was spent before an interruption. */
export function spentOf({ meter, spentBeforeUsd }: Pick<LoopContext, "meter" | "spentBeforeUsd">): number {
  return spentBeforeUsd + (meter.total().costUsd ?? 0);
}
