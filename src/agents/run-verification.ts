import type { Environment } from "../domain/environment.js";
import type { EndedBy } from "../processes/process-limits.js";
import { hasSucceeded, type ProcessOptions, runProcess } from "../processes/run-process.js";
import { clipOutput } from "../text/secrets/clip-output.js";
import { readTestCounts, type TestCounts } from "./test-counts.js";

export interface VerificationOptions
  extends Pick<ProcessOptions, "stop" | "kill" | "onStart" | "onOutput" | "killGraceMs"> {
  /** The project, where the command runs. */
  folder: string;
  environment: Environment;
  timeoutMs: number;
}

export interface Verification {
  command: string;
  passed: boolean;
  /** Undefined when a signal ended it. */
  exitCode: number | undefined;
  endedBy: EndedBy;
  /** Redacted and clipped. */
  output: string;
  elapsedMs: number;
  /** Only set when the output reports them. */
  counts?: TestCounts;
  /** A program is missing or not executable. */
  cannotRun: boolean;
}

const keptBytes = 512 * 1024;
const cannotRunStatus = [126, 127];

/** Runs the user's command line in a shell; stdout and stderr are merged. */
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

/** From 0 to 1: the share of passed tests when the output reports it, otherwise 0 or 1; the mean of all commands. */
export function qualityOf(verifications: readonly Pick<Verification, "passed" | "counts">[]): number {
  if (verifications.length === 0) return 0;
  return verifications.reduce((sum, each) => sum + qualityOfOne(each), 0) / verifications.length;
}

function qualityOfOne({ passed, counts }: Pick<Verification, "passed" | "counts">): number {
  if (passed) return 1;
  if (counts === undefined) return 0;
  // A command can fail although its tests pass; that counts as one more failed test.
  return counts.passed === counts.total ? counts.passed / (counts.total + 1) : counts.passed / counts.total;
}
