import {
  changesBetween,
  diffSince,
  type FileEdit,
  readWorkState,
  type WorkChanges,
  type WorkState,
} from "../agents/git-changes.js";
import { runVerification, type Verification } from "../agents/run-verification.js";
import { leftOutAsAltered } from "../domain/knowledge/statement.js";
import { messageOf } from "../domain/ralph-error.js";
import { type Failure, failureNames, failureSignature } from "../failures/failure.js";
import { findFailures, readFailedOutput } from "../failures/find-failures.js";
import { textFromProject } from "../files/relative-path.js";
import { failureGist } from "../text/same-failure.js";
import { redactDeep } from "../text/secrets/redact.js";
import { countTokens } from "../text/tokens/count-tokens.js";
import { buildPrompt, memorySkill } from "./build-prompt.js";
import { causeIn, feedbackOf, isJudged, judge, outputOf, type Verdict } from "./judge-iteration.js";
import type { LoopContext } from "./loop-context.js";
import { workOf } from "./record-actions.js";
import { type AgentRun, runAgent } from "./run-agent.js";
import { showOutput } from "./show-output.js";

/** What one iteration passes to the next. */
export interface Feedback {
  text: string;
  /** Failures in the output. */
  failures: readonly Failure[];
  files: readonly string[];
}

interface IterationPlace {
  attempt: number;
  iteration: number;
  lastIteration: number;
  /** Handoffs of other agents, as prompt text. */
  handoffs: readonly string[];
  before: Feedback | undefined;
}

/** The result of an iteration. */
export interface Iteration {
  verdict: Verdict;
  /** One line. */
  reason: string;
  /** The first failure, as the check reports it. */
  cause: string | undefined;
  agent: AgentRun;
  quality: number | undefined;
  feedback: Feedback;
  /** Identifies the failure if it recurs. */
  signature: string;
  hasChanged: boolean;
  changedFiles: readonly string[];
  commit: string | undefined;
}

const maxListedFiles = 50;

/** One iteration: brief, agent, changes, verification, record. */
export async function runIteration(context: LoopContext, place: IterationPlace): Promise<Iteration> {
  const { root, clock, emit, memory, task, meter, options } = context;
  const startedMs = clock().getTime();
  // In parallel; Git ignores the files of the memory.
  const [before, prompt] = await Promise.all([readWorkState(root), preparePrompt(context, place)]);
  const agent = await runAgent(context, prompt, place.iteration);
  meter.countIteration();
  const agentEnded = clock().toISOString();
  const { changes, edits, isKnown } = await findChanges(context, before, agent);
  const verifications = context.stop.aborted ? [] : await verify(context);
  const judged = judge(context, agent, verifications, changes.hasChanged);
  const output = redactDeep(textFromProject(root, outputOf(agent, verifications)));
  const failures = isJudged(judged) && judged.verdict !== "completed" ? readFailedOutput(output) : [];
  const cause = redactDeep(firstCause(agent, verifications, failures));
  const { degraded = [] } = await memory.tasks.endIteration(task.id, {
    runId: context.runId,
    iteration: place.iteration,
    work: workOf(context, {
      iteration: place.iteration,
      edits,
      finalText: agent.finalText,
      agentEnded,
      verifications,
    }),
    progress: { iterations: meter.iterations(), usage: meter.total() },
    ...(isJudged(judged) && { success: judged.verdict === "completed" }),
    ...(judged.quality !== undefined && { quality: judged.quality }),
    output,
    ...(agent.finalText.trim() !== "" && { said: textFromProject(root, agent.finalText) }),
    ...(agent.trouble !== undefined && { trouble: agent.trouble }),
    failures,
    previous: place.before && { iteration: place.iteration - 1, failures: place.before.failures },
    verdict: judged.reason,
    changedFiles: changes.changedFiles,
    milestone: {
      event: `iteration ${place.iteration}: ${judged.verdict}`,
      details: [
        [judged.reason, ...(cause ? [cause] : [])].join(": "),
        ...changes.changedFiles.slice(0, maxListedFiles),
      ].join("\n"),
    },
  });
  for (const message of degraded) emit({ event: "problem", message });
  emit({
    event: "iteration-ended",
    attempt: place.attempt,
    iteration: place.iteration,
    verdict: judged.verdict,
    reason: judged.reason,
    ...(cause !== undefined && { cause }),
    ...(judged.quality !== undefined && { quality: judged.quality }),
    ...(isKnown && { changed_files: changes.changedFiles }),
    actions: agent.actions,
    elapsed_ms: clock().getTime() - startedMs,
  });
  return {
    ...judged,
    cause,
    agent,
    ...changes,
    feedback: {
      text: feedbackOf(judged, output, options.verify),
      failures,
      files: changes.changedFiles,
    },
    signature: `${failureGist(agent.trouble ?? "")}\n${signatureOf(output, failures, agent)}`,
  };
}

/** The changes since the agent started, with edits only if it reported none. Runs before the verification, which may write files. */
async function findChanges(
  context: LoopContext,
  before: WorkState | undefined,
  agent: AgentRun,
): Promise<{ changes: WorkChanges; edits: readonly FileEdit[]; isKnown: boolean }> {
  const { root } = context;
  const after = await readWorkState(root);
  if (before === undefined || after === undefined) {
    const hasChanged = mayHaveChanged(context, agent);
    return { changes: { changedFiles: [], commit: undefined, hasChanged }, edits: [], isKnown: false };
  }
  const changes = await changesBetween(root, before, after);
  const isReported = agent.edits > 0 || changes.changedFiles.length === 0;
  const edits = isReported ? [] : await diffSince(root, before, changes.changedFiles);
  return { changes: redactDeep(changes), edits, isKnown: true };
}

/** For trouble with an agent, the cause is part of it. */
function firstCause(
  { trouble }: AgentRun,
  verifications: readonly Verification[],
  failures: readonly Failure[],
): string | undefined {
  const failed = verifications.filter(({ passed, endedBy }) => !passed && endedBy !== "abort");
  if (trouble !== undefined || failed.length === 0) return undefined;
  return failureNames(failures)[0] ?? causeIn(...failed.map(({ output }) => output));
}

/** Without verification, iterations are compared by the agent's final message. */
function signatureOf(output: string, failures: readonly Failure[], { finalText }: AgentRun): string {
  return output === ""
    ? failureSignature(finalText, findFailures(finalText))
    : failureSignature(output, failures);
}

/** Without Git, an agent that ends normally and reports no actions may have changed anything. */
function mayHaveChanged({ agent: { output } }: LoopContext, agent: AgentRun): boolean {
  return agent.actions > 0 || (output === "text" && agent.isNormal);
}

async function preparePrompt(context: LoopContext, place: IterationPlace): Promise<string> {
  const { memory, task, options, settings, emit } = context;
  const { attempt, iteration, lastIteration, handoffs, before } = place;
  const recalled = await recallFor(context, place);
  if (recalled?.altered && iteration === 1)
    emit({ event: "problem", message: leftOutAsAltered(recalled.altered.length) });
  const prompt = buildPrompt({
    task,
    options,
    attempt,
    iteration,
    lastIteration,
    handoffs,
    brief: recalled?.text ?? "",
    feedback: before?.text,
    skill: memorySkill(settings),
  });
  emit({
    event: "iteration-started",
    attempt,
    iteration,
    brief_tokens: recalled?.tokens ?? 0,
    prompt_tokens: countTokens(prompt),
    shown: recalled?.isHoldout ? [] : (recalled?.records.map(({ id }) => id) ?? []),
    holdout: recalled?.isHoldout ?? false,
  });
  await memory.working
    .updateContinuity({ taskId: task.id, recalled })
    .catch((error: unknown) => emitProblem(context, error));
  return prompt;
}

/** A memory error does not stop the agent. */
async function recallFor(
  { memory, task, options, emit }: LoopContext,
  { iteration, before }: IterationPlace,
) {
  try {
    return await memory.recall({
      taskId: task.id,
      iteration,
      errors: before && failureNames(before.failures),
      files: before?.files,
      memory: options.memory,
      isCrossTask: options.isCrossTask,
      notes: "all",
    });
  } catch (error) {
    const why = messageOf(error);
    emit({ event: "problem", message: `nothing was recalled for this iteration: ${why}` });
    return undefined;
  }
}

function emitProblem({ emit }: LoopContext, error: unknown): void {
  emit({ event: "problem", message: messageOf(error) });
}

async function verify(context: LoopContext): Promise<Verification[]> {
  const { options, root, environment, stop, kill, emit, settings } = context;
  const verifications: Verification[] = [];
  for (const command of options.verify) {
    if (stop.aborted) break;
    emit({ event: "verification-started", command });
    const shown = showOutput(context, "check");
    const verification = await runVerification(command, {
      folder: root,
      environment,
      timeoutMs: options.verifyTimeoutMs,
      stop,
      kill,
      onStart: (leader) => context.runs.saveAgent(context.runId, leader),
      onOutput: shown.push,
      killGraceMs: settings["run.kill_grace_seconds"] * 1000,
    });
    shown.end();
    const { passed, elapsedMs, exitCode, endedBy } = verification;
    emit({
      event: "verification",
      command,
      passed,
      elapsed_ms: elapsedMs,
      ...(exitCode !== undefined && { exit_code: exitCode }),
      ...(endedBy === "abort" && { stopped: true }),
    });
    verifications.push(verification);
  }
  if (verifications.length > 0) await context.runs.saveAgent(context.runId, undefined);
  return verifications;
}
