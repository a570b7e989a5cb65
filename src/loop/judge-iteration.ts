import { basename } from "node:path";
import type { AgentDefinition } from "../agents/agent-definition.js";
import { hasPromise } from "../agents/completion-promise.js";
import { qualityOf, type Verification } from "../agents/run-verification.js";
import { isBareVerdict } from "../failures/bare-verdicts.js";
import { outputLines } from "../text/output-lines.js";
import { startOf } from "../text/secrets/clip-output.js";
import type { LoopContext } from "./loop-context.js";
import type { AgentRun } from "./run-agent.js";

/** `goes on`: there is no verification, and the agent did not report completion. `stopped`: ended before it could be judged. */
export type Verdict = "completed" | "goes on" | "failed" | "stopped";

interface Judgement {
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
  // Stopping an agent or a check says nothing about the work.
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

/** The recorded output of an iteration: that of the verification, and any trouble with the agent. */
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

const passing =
  /\b(?:rate.?limit\w*|too many requests|overload\w*|temporar\w+|try again|retry|timed? ?out|unavailable|network|429|5(?:00|02|03|04|29)|E(?:CONN\w+|TIMEDOUT|AI_AGAIN|NOTFOUND|PIPE|AGAIN|BUSY))\b/i;
const unsetVariable =
  /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b.*\b(?:not set|unset|missing|required|undefined|not defined|not found|empty)\b|\b(?:set|missing|provide|export)\b.*?\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/;
const login = /\b(?:log ?in|logged in|unauthori[sz]ed|401|api.?key|credentials?|authenticat\w+)\b/i;

/** Whether the trouble may disappear after a pause, such as a network failure or a busy service. */
export function mayPass(trouble: string): boolean {
  return passing.test(trouble);
}

/** Advice if the agent was denied tools that the task may need; undefined if it was denied none. */
export function adviceOnDenied(name: string, denied: readonly string[]): string | undefined {
  if (denied.length === 0) return undefined;
  return `permit ${name} to use ${denied.join(", ")} in its own settings (or start anew with --allow-all, where nothing can be lost)`;
}

/** Advice about an agent that fails at once. */
export function adviceFor(
  { name, program }: Pick<AgentDefinition, "name" | "program">,
  trouble: string,
): string {
  const [, one, other] = unsetVariable.exec(trouble) ?? [];
  const variable = one ?? other;
  if (variable !== undefined) return `set ${variable}`;
  const byHand = `start ${basename(program)} by hand`;
  if (login.test(trouble)) return `log in to ${name}: ${byHand}`;
  return `${byHand} to see why`;
}

const maxLength = 200;
const maxLines = 60;

const telling =
  /\b(?:\w*error|\w*exception|fatal|panic|failed|failure|denied|refused|rejected|invalid|missing|required|unknown|unauthori[sz]ed|forbidden|expired|exceeded|exhausted|quota|overloaded|limit|cannot|can't|could not|unable|no such|log ?in|not (?:set|found|installed|available|allowed|supported|logged in|authenticated|configured))\b/i;
const noise = /^(?:at |File "|\^|Node\.js v\d|\(node:\d+\)|\(Use `node)|[\w.-]*warning\b/i;

/**
 * The line that best explains why a program failed, from the first output that has one; otherwise the last line of any. Undefined if all
 * are empty.
 */
export function causeIn(...outputs: readonly string[]): string | undefined {
  const all = outputs.map(sayingLines);
  const find = (matches: (line: string) => boolean) =>
    all.map((lines) => lines.findLast(matches)).find(Boolean);
  const explaining =
    find((line) => telling.test(line) && !isBareVerdict(line)) ?? find((line) => telling.test(line));
  const last = all.map((lines) => lines.at(-1)).find(Boolean);
  const cause = explaining ?? last;
  if (cause === undefined) return undefined;
  return cause.length > maxLength ? `${startOf(cause, maxLength)} …` : cause;
}

function sayingLines(output: string): string[] {
  return outputLines(output)
    .slice(-maxLines)
    .map((line) => line.trim())
    .filter((line) => /[A-Za-z\u0080-\uffff]/.test(line) && !noise.test(line) && !line.startsWith("{"));
}
