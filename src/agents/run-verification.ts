import type { Environment } from "../domain/environment.js";
import type { EndedBy } from "../processes/process-limits.js";
import { hasSucceeded, type ProcessOptions, runProcess } from "../processes/run-process.js";
import { clipOutput } from "../text/secrets/clip-output.js";
import { readTestCounts, type TestCounts } from "./test-counts.js";

export interface VerificationOptions
  extends Pick<ProcessOptions, "stop" | "kill" | "onStart" | "killGraceMs"> {
  /** Where it runs: the project. */
  folder: string;
  environment: Environment;
  timeoutMs: number;
}

export interface Verification {
  command: string;
  passed: boolean;
  /** None when a signal ended it. */
  exitCode: number | undefined;
  endedBy: EndedBy;
  /** What it printed, as it is kept: without secrets, of a long one both ends. */
  output: string;
  elapsedMs: number;
  /** Where the output tells. */
  counts?: TestCounts;
  /** It, or something in it, is not there or may not be run. */
  cannotRun: boolean;
}

const keptBytes = 512 * 1024;
const cannotRunStatus = [126, 127];

/** Runs a command line of the user's in a shell, its two outputs in one. */
export async function runVerification(command: string, options: VerificationOptions): Promise<Verification> {
  const result = await runProcess({
    ...options,
    program: "sh",
    args: ["-c", 'exec sh -c "$1" 2>&1', "sh", command],
    keptBytes,
  });
  const counts = readTestCounts(result.output);
  return {
    command,
    passed: hasSucceeded(result),
    exitCode: result.exitCode,
    endedBy: result.endedBy,
    output: clipOutput(result.output.replaceAll("\0", "�")),
    elapsedMs: result.elapsedMs,
    ...(counts !== undefined && { counts }),
    cannotRun: result.endedBy === "exit" && cannotRunStatus.includes(result.exitCode ?? 0),
  };
}

/** From 0 to 1: the share of tests that passed where the outputs tell it, else 0 or 1; of several commands their mean. */
export function qualityOf(verifications: readonly Pick<Verification, "passed" | "counts">[]): number {
  if (verifications.length === 0) return 0;
  return verifications.reduce((sum, each) => sum + qualityOfOne(each), 0) / verifications.length;
}

function qualityOfOne({ passed, counts }: Pick<Verification, "passed" | "counts">): number {
  if (passed) return 1;
  if (counts === undefined) return 0;
  // A command can fail although its tests pass; what failed counts as one more of them.
  return counts.passed === counts.total ? counts.passed / (counts.total + 1) : counts.passed / counts.total;
}
