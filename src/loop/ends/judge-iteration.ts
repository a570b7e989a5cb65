import { hasPromise } from "../../agents/completion.js";
import { qualityOf, type Verification } from "../../agents/run-verification.js";
import type { LoopContext } from "../loop-context.js";
import type { AgentRun } from "../run-agent.js";

/** Without a verification, an agent that did not say that it is done goes on; one that was stopped is not judged either. */
export type Verdict = "completed" | "goes on" | "failed" | "stopped";

export interface Judgement {
  verdict: Verdict;
  /** In one line. */
  reason: string;
  quality: number | undefined;
}

/** Whether a verdict says something about the work. */
export function isJudged({ verdict }: Pick<Judgement, "verdict">): boolean {
  return verdict === "completed" || verdict === "failed";
}

/** Says of an iteration whether it completed the task, and why it did or did not. */
export function judge(
  { options, stop }: Pick<LoopContext, "options" | "stop">,
  agent: AgentRun,
  verifications: readonly Verification[],
): Judgement {
  const { trouble } = agent;
  // Whoever stops an agent says nothing about its work.
  const isCutShort =
    trouble !== undefined ||
    verifications.length < options.verify.length ||
    verifications.some(({ endedBy }) => endedBy === "abort");
  if (stop.aborted && isCutShort)
    return { verdict: "stopped", reason: trouble ?? "stopped before it was verified", quality: undefined };
  const promised = hasPromise(agent.finalText, options.promise);
  if (options.verify.length === 0) {
    if (trouble !== undefined) return { verdict: "failed", reason: trouble, quality: undefined };
    return promised
      ? { verdict: "completed", reason: "the agent says that it is done", quality: undefined }
      : { verdict: "goes on", reason: "the agent did not say that it is done", quality: undefined };
  }
  const quality = verifications.length === 0 ? undefined : qualityOf(verifications);
  const failed = verifications.filter(({ passed }) => !passed);
  const isVerified = failed.length === 0 && verifications.length === options.verify.length;
  if (isVerified && trouble === undefined)
    return { verdict: "completed", reason: `${options.verify.join(", ")}: passed`, quality };
  if (isVerified) return { verdict: "failed", reason: `the verification passes, but ${trouble}`, quality };
  const reasons = [
    ...(trouble === undefined ? [] : [trouble]),
    ...failed.map(describeFailed),
    ...(promised ? ["the agent said it was done, but the check failed"] : []),
  ];
  return { verdict: "failed", reason: reasons.join("; ") || "the verification was not run", quality };
}

function describeFailed({ command, exitCode, endedBy, counts, cannotRun }: Verification): string {
  if (cannotRun) return `${command}: cannot be run`;
  if (endedBy === "timeout") return `${command}: took too long`;
  const told = counts === undefined ? "" : ` (${counts.passed} of ${counts.total} passed)`;
  return `${command}: ended with ${exitCode ?? "a signal"}${told}`;
}

/** What is kept of the iteration's end: what the verification printed, and what went wrong with the agent. */
export function outputOf(agent: AgentRun, verifications: readonly Verification[]): string {
  const failed = verifications.filter(({ passed }) => !passed);
  const shown = failed.length > 0 ? failed : verifications;
  return [
    ...(agent.trouble === undefined ? [] : [`${agent.trouble}\n${agent.errorOutput.trim()}`.trim()]),
    ...shown.map(({ command, output }) => `$ ${command}\n${output.trimEnd()}`),
  ].join("\n\n");
}

/** What the next iteration is told about this one. */
export function feedbackOf(
  { verdict, reason }: Judgement,
  output: string,
  verify: readonly string[],
): string {
  if (!isJudged({ verdict }))
    return `${reason}. Nothing was verified${verify.length > 0 ? "" : ": no command is set for it"}.`;
  return `${reason}.\n\n${output}`;
}
