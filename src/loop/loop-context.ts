import type { AgentDefinition } from "../agents/agent-definition.js";
import type { Settings } from "../config/default-settings.js";
import type { Clock } from "../domain/clock.js";
import type { Environment } from "../domain/environment.js";
import type { RunOptions, RunUsage } from "../domain/tasks/run.js";
import type { Task } from "../domain/tasks/task.js";
import type { Memory } from "../memory/memory.js";
import type { RunVerbs } from "../memory/runs/runs.js";
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

/** Sums up tokens, cost and iterations of the agent. */
interface Meter {
  /** Sets the usage so far of the current agent process. */
  note(usage: RunUsage): void;
  /** Adds the usage of the process, which has ended, to the total. */
  settle(): void;
  total(): RunUsage;
  countIteration(): void;
  iterations(): number;
}

const none: RunUsage = { inputTokens: 0, outputTokens: 0 };

export function openMeter(iterationsBefore = 0): Meter {
  let settled = none;
  let current = none;
  let iterations = iterationsBefore;
  return {
    note: (usage) => {
      current = usage;
    },
    settle() {
      settled = sum(settled, current);
      current = none;
    },
    total: () => sum(settled, current),
    countIteration: () => {
      iterations += 1;
    },
    iterations: () => iterations,
  };
}

function sum(one: RunUsage, other: RunUsage): RunUsage {
  const isCostKnown = one.costUsd !== undefined || other.costUsd !== undefined;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(isCostKnown && { costUsd: (one.costUsd ?? 0) + (other.costUsd ?? 0) }),
  };
}
