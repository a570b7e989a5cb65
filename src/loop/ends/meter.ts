import type { RunUsage } from "../../domain/tasks/run.js";

/** Adds up what the agent's runs use. */
export interface Meter {
  /** What the agent that is at work has used so far. */
  note(usage: RunUsage): void;
  /** Its run is over: what comes next is added to it. */
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
