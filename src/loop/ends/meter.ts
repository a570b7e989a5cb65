import type { RunUsage } from "../../domain/tasks/run.js";

/** Sums up tokens, cost and iterations of the agent. */
export interface Meter {
  /** Usage so far of the current agent process. */
  note(usage: RunUsage): void;
  /** The process has ended: its usage is added to the total. */
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
