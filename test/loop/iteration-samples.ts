import type { Verification } from "../../src/agents/run-verification.js";
import type { RunOptions } from "../../src/domain/tasks/run.js";
import type { AgentRun } from "../../src/loop/run-agent.js";

/** An agent that ended well, did nothing, and said nothing. */
export const agentRun = (given: Partial<AgentRun> = {}): AgentRun => ({
  isNormal: given.trouble === undefined,
  hasBrokenDown: false,
  trouble: undefined,
  denied: [],
  elapsedMs: 10,
  finalText: "",
  actions: 0,
  edits: 0,
  errorOutput: "",
  ...given,
});

export const verification = (given: Partial<Verification> = {}): Verification => ({
  command: "npm test",
  passed: false,
  exitCode: given.passed ? 0 : 1,
  endedBy: "exit",
  output: "",
  elapsedMs: 10,
  cannotRun: false,
  ...given,
});

export const runOptions = (given: Partial<RunOptions> = {}): RunOptions => ({
  verify: [],
  agent: "claude",
  isAllAllowed: false,
  maxIterations: 10,
  attempts: 1,
  timeoutMs: 3_600_000,
  iterationTimeoutMs: 600_000,
  idleTimeoutMs: 0,
  verifyTimeoutMs: 600_000,
  isCrossTask: true,
  promise: "COMPLETE",
  ...given,
});
