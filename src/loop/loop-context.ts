import type { AgentDefinition } from "../agents/agent-definition.js";
import type { Settings } from "../config/default-settings.js";
import type { Environment } from "../config/paths.js";
import type { Clock } from "../domain/clock.js";
import type { RunOptions } from "../domain/run.js";
import type { Task } from "../domain/task.js";
import type { Memory } from "../memory/memory.js";
import type { LoopEvent } from "./loop-event.js";
import type { Meter } from "./meter.js";

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
  /** How long to wait after the first crash of an agent; twice as long after each further one. */
  firstPauseMs?: number | undefined;
  /** How long an agent may take to end after it was asked to. */
  killGraceMs?: number | undefined;
}

/** A run that is under way. */
export interface LoopContext extends LoopSurroundings {
  runId: number;
  task: Task;
  options: RunOptions;
  settings: Settings;
  agent: AgentDefinition;
  meter: Meter;
  /** When the run has to end, in milliseconds of the clock. */
  deadline: number;
}
