import { hasPromise } from "../../agents/completion.js";
import { qualityOf, type Verification } from "../../agents/run-verification.js";
import type { LoopContext } from "../loop-context.js";
import type { AgentRun } from "../run-agent.js";

/** `goes on`: no verification, and the agent did not say it is done. `stopped`: ended before it could be judged. */
export type Verdict = "completed" | "goes on" | "failed" | "stopped";

export interface Judgement {
  verdict: Verdict;
  /** One line. */
  reason: string;
  quality: number | undefined;
}

/** Whether the work itself was judged. */
export function isJudged({ verdict }: Pick<Judgement, "verdict">): boolean {
  return verdict === "completed" || verdict === "failed";
}

/** Decides whether an iteration completed the task, and why. */
export function judge(
  { options, stop }: Pick<LoopContext, "options" | "stop">,
  agent: AgentRun,
  verifications: readonly Verification[],
  hasChanged = true,
): Judgement {
  const { trouble } = agent;
  // Stopping an agent says nothing about its work.
  const isCheckStopped = verifications.some(({ endedBy }) => endedBy === "abort");
  const isCutShort = trouble !== undefined || verifications.length < options.verify.length || isCheckStopped;
  if (stop.aborted && isCutShort) {
    const stopped = isCheckStopped ? "stopped during verification" : "stopped before verification";
    return { verdict: "stopped", reason: trouble ?? stopped, quality: undefined };
  }
  const promised = hasPromise(agent.finalText, options.promise);
  if (options.verify.length === 0) {
    if (trouble !== undefined) return { verdict: "failed", reason: trouble, quality: undefined };
    return promised
      ? { verdict: "completed", reason: "the agent says it is done", quality: undefined }
      : { verdict: "goes on", reason: "the agent did not say it is done", quality: undefined };
  }
  const quality = verifications.length === 0 ? undefined : qualityOf(verifications);
  const failed = verifications.filter(({ passed }) => !passed);
  const isVerified = failed.length === 0 && verifications.length === options.verify.length;
  if (isVerified && trouble === undefined)
    return {
      verdict: "completed",
      // It may have passed before, or by chance.
      reason: `${options.verify.join(", ")}: passed${hasChanged ? "" : ", though this iteration changed nothing"}`,
      quality,
    };
  if (isVerified) return { verdict: "failed", reason: `verification passed, but ${trouble}`, quality };
  const reasons = [
    ...(trouble === undefined ? [] : [trouble]),
    ...failed.map(describeFailed),
    ...(promised ? ["the agent said it was done, but the check failed"] : []),
  ];
  return { verdict: "failed", reason: reasons.join("; ") || "verification did not run", quality };
}

function describeFailed({ command, exitCode, endedBy, counts, cannotRun }: Verification): string {
  if (cannotRun) return `${command}: cannot be run`;
  if (endedBy === "timeout") return `${command}: timed out`;
  const result = counts === undefined ? "" : ` (${counts.passed} of ${counts.total} passed)`;
  return `${command}: exited with ${exitCode ?? "a signal"}${result}`;
}

/** Output to keep of an iteration: that of the verification, and any trouble with the agent. */
export function outputOf(agent: AgentRun, verifications: readonly Verification[]): string {
  const failed = verifications.filter(({ passed }) => !passed);
  const shown = failed.length > 0 ? failed : verifications;
  return [
    ...(agent.trouble === undefined ? [] : [`${agent.trouble}\n${agent.errorOutput.trim()}`.trim()]),
    ...shown.map(({ command, output }) => `$ ${command}\n${output.trimEnd()}`),
  ].join("\n\n");
}

/** Feedback for the next iteration. */
export function feedbackOf(
  { verdict, reason }: Judgement,
  output: string,
  verify: readonly string[],
): string {
  if (!isJudged({ verdict }))
    return `${reason}. Nothing was verified${verify.length > 0 ? "" : ": there is no verification command"}.`;
  return `${reason}.\n\n${output}`;
}
