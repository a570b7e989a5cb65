import { notBefore } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isVerdict } from "../../domain/tasks/action.js";
import {
  type Attempt,
  type EncounteredError,
  interrupted,
  type Outcome,
  type OutcomeStatus,
  outcomes,
} from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import { describeFailure, type Failure } from "../../failures/failure.js";
import {
  failuresOf,
  findFailures,
  type ReadAction,
  readActionsOnce,
  readFailedOutput,
} from "../../failures/find-failures.js";
import { relativePath } from "../../files/relative-path.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { suggest } from "../../text/nearest.js";
import { isSameFailure } from "../../text/same-failure.js";
import { clipOutput } from "../../text/secrets/clip-output.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { EndingContext, EpisodicContext } from "../episodic-context.js";
import { improveReflection } from "../reflections/improve-reflection.js";
import { rateReflections } from "../reflections/record-reflections.js";
import { reflectByRules, reflectOnTaskByRules, toReflection } from "../reflections/reflect-by-rules.js";
import { reflectionsShownTo, scaleWindow } from "../reflections/reflection-window.js";
import type { PreviousWork, ReflectionText, WorkReport } from "../reflections/work-report.js";
import { lessonGist } from "../reflections/work-tried.js";
import { recordErrors } from "../resolutions/resolve-errors.js";
import { publicAttempt } from "../tasks/get-task.js";
import { putInIndex, workWords } from "../tasks/index-task.js";
import { type AttemptWork, editedFiles, readTaskWork, touchedFiles } from "../tasks/task-work.js";
import { getHeldAttempt } from "./attempt-lease.js";
import { checkQuality } from "./storable-action.js";

/** How an attempt ended, as reported by its runner. */
export interface AttemptResult {
  outcome: OutcomeStatus;
  reason?: string | undefined;
  /** What the runner says about the work, such as which command failed. */
  verdict?: string | undefined;
  /** The limit that ended it, such as `2 USD`. */
  limit?: string | undefined;
  /** The output of the verification or the last command. */
  output?: string | undefined;
  /** The failures in the output, if the runner has parsed it. */
  failures?: readonly Failure[] | undefined;
  quality?: number | undefined;
  completionPercent?: number | undefined;
  whatWorked?: readonly string[] | undefined;
  errors?: readonly EncounteredError[] | undefined;
  artifacts?: readonly string[] | undefined;
  files?: readonly string[] | undefined;
  gitCommit?: string | undefined;
  /** The runner's own reflection, instead of one by rules. */
  reflection?: Partial<ReflectionText> | undefined;
  /** The new status of the task; by default it follows from the outcome. */
  status?: TaskStatus | undefined;
  /** The run that records it; rejected if that run no longer holds the task. */
  runId?: number | undefined;
}

interface EndedAttempt {
  attempt: StoredAttempt;
  /** Not set if there was nothing to reflect on. */
  reflection: Reflection | undefined;
  /** On the task as a whole, once it is completed. */
  onTask: Reflection | undefined;
  /** What the reflection is based on. */
  report: WorkReport;
}

/** Records an attempt's outcome, errors and reflections, resolves and rates earlier ones, and updates the task and its index entry. */
export async function endAttempt(
  tx: Repositories,
  task: StoredTask,
  attempt: StoredAttempt,
  result: AttemptResult,
  { now, window, root }: EndingContext,
): Promise<EndedAttempt> {
  const { attempts: all, reflections } = await readTaskWork(tx, task.number);
  const ended = notBefore(attempt.started, now);
  const inProject = (files: readonly string[]) => [...new Set(files.map((file) => relativePath(root, file)))];
  const earlier = all.filter(({ id }) => id < attempt.id);
  const { actions = [], results = [] } = all.find(({ id }) => id === attempt.id) ?? {};
  const own: AttemptWork = { ...attempt, actions, results };
  const readAction = readActionsOnce();
  const work = reportOf(task, own, {
    earlier: earlier.find(({ id }) => id === attempt.id - 1),
    result,
    readAction,
    ended,
  });
  const { errors, resolved } = await recordErrors(tx, own, {
    report: work,
    earlier,
    given: result.errors,
    readAction,
  });
  const report = { ...work, resolved };
  const reflection = isOnlyInterrupted(report, result) ? undefined : reflect(report, result, ended);
  const status = result.status ?? (result.outcome === "success" ? "completed" : "failed");
  await tx.attempts.end(attempt.key, {
    ended,
    outcome: toOutcome(report, { ...result, completionPercent: percentOf(result, status) }, reflection),
    errors,
    artifacts: inProject(result.artifacts ?? []),
    files: inProject([
      ...(result.files ?? []),
      ...editedFiles(report.actions),
      ...touchedFiles(report.actions),
    ]),
    gitCommit: result.gitCommit,
  });
  await rateReflections(tx, reflectionsShownTo(attempt, reflections), report);
  await tx.tasks.setStatus(task.number, status, notBefore(task.updated, ended));
  const [attempts, words] = await Promise.all([tx.attempts.list(task.number), workWords(tx, all)]);
  const onTask = status === "completed" ? reflectOnTaskByRules(report, attempts, ended) : undefined;
  const written = [withoutRepetition(reflections, reflection, report), onTask].flatMap((each) => each ?? []);
  for (const each of written) await tx.reflections.record(task.number, each);
  // Judged iterations have already scaled the window.
  if (!results.some(({ success }) => success !== undefined))
    await scaleWindow(tx, task, withResults(attempts, all), {
      attemptId: attempt.id,
      ...{ window, now: ended },
    });
  const toIndex = { attempts, reflections: [...reflections, ...written], words };
  await putInIndex(tx, { ...task, status, updated: ended }, toIndex);
  return { attempt: attempts.find(({ id }) => id === attempt.id) ?? attempt, reflection, onTask, report };
}

/** The attempts as they are now, with what is known of their work. */
function withResults(attempts: readonly StoredAttempt[], known: readonly AttemptWork[]) {
  const results = new Map(known.map((each) => [each.key, each.results]));
  return attempts.map((attempt) => ({ ...attempt, results: results.get(attempt.key) ?? [] }));
}

/** The part of the attempt's reflection that the one on its last iteration lacks; a limit is always recorded. */
function withoutRepetition(
  known: readonly Reflection[],
  reflection: Reflection | undefined,
  { reason, limit }: WorkReport,
): Reflection | undefined {
  if (reflection?.written_by !== "rules") return reflection;
  const last = known.findLast(
    ({ triggered_by: trigger, attempt_id: id }) => trigger === "iteration" && id === reflection.attempt_id,
  );
  const isTold = last !== undefined && lessonGist(last.learning) === lessonGist(reflection.learning);
  if (!isTold || reflection.learning === "") return reflection;
  if (limit === undefined) return undefined;
  const observation = [reason, limit].flatMap((text) => text || []).join("; ");
  return { ...reflection, observation, analysis: "", learning: "", action_items: [] };
}

/** An attempt that was only stopped says nothing about the task. */
function isOnlyInterrupted({ failures }: WorkReport, { reason, reflection }: AttemptResult): boolean {
  return reason === interrupted && failures.length === 0 && reflection === undefined;
}

interface EndOfWork {
  earlier: AttemptWork | undefined;
  result: AttemptResult;
  readAction: ReadAction;
  ended: string;
}

/** The report on the attempt, without what it resolved. */
function reportOf(
  task: StoredTask,
  attempt: AttemptWork,
  { earlier, result, readAction, ended }: EndOfWork,
): WorkReport {
  // Checks are not the agent's work.
  const actions = attempt.actions.filter((action) => !isVerdict(action));
  const isSuccess = result.outcome === "success";
  const output = result.output ?? (isSuccess ? undefined : lastOutput(attempt));
  return {
    task,
    attemptId: attempt.id,
    iterations: attempt.execution.iterations,
    outcome: result.outcome,
    reason: result.reason,
    verdict: result.verdict,
    limit: result.limit,
    quality: result.quality ?? attempt.execution.quality_history.at(-1)?.quality,
    whatWorked: result.whatWorked ?? [],
    output,
    actions,
    period: { from: attempt.started, to: ended },
    changedFiles: result.artifacts,
    failures: failuresOf(
      result.failures ?? (isSuccess ? findFailures(output ?? "") : readFailedOutput(output ?? "")),
      actions,
      readAction,
    ),
    resolved: [],
    previous: earlier && { ...previousWorkOf(earlier), actions: earlier.actions },
  };
}

/** The output of the last iteration, if the runner gives none for the whole attempt. */
function lastOutput({ results }: AttemptWork): string | undefined {
  return results.findLast(({ output }) => output?.trim())?.output;
}

/** What the next attempt is compared with: the unresolved errors at the end, and the quality. */
export function previousWorkOf(attempt: AttemptWork): PreviousWork {
  const { id, outcome, errors_encountered: errors } = attempt;
  const unresolved = errors.flatMap(({ resolution, message }) => (resolution === undefined ? [message] : []));
  const last = findFailures(lastOutput(attempt) ?? "").map(describeFailure);
  // Errors of earlier iterations no longer count, although no later check confirms that they are gone.
  const left = unresolved.filter((message) => last.some((failure) => isSameFailure(failure, message)));
  return {
    name: `attempt ${id}`,
    errors: left.length > 0 ? left : unresolved,
    quality: outcome?.final_quality,
  };
}

function reflect(
  report: WorkReport,
  { reflection: given }: AttemptResult,
  now: string,
): Reflection | undefined {
  const byRules = reflectByRules(report, now);
  const observation = given?.observation ?? given?.learning;
  if (given === undefined || observation === undefined) return byRules;
  const text = {
    observation,
    analysis: given.analysis ?? "",
    learning: given.learning ?? observation,
    action_items: given.action_items ?? byRules?.action_items ?? [],
  };
  return { ...toReflection(report, text, now), written_by: "runner" };
}

function toOutcome(report: WorkReport, result: AttemptResult, reflection: Reflection | undefined): Outcome {
  const whatFailed = result.outcome === "success" ? undefined : reflection;
  return {
    status: result.outcome,
    ...(result.reason && { reason: result.reason }),
    ...(report.quality !== undefined && { final_quality: report.quality }),
    ...(result.completionPercent !== undefined && { completion_percent: result.completionPercent }),
    what_worked: [...(result.whatWorked ?? [])],
    what_didnt_work: whatFailed === undefined ? [] : [whatFailed.observation],
    suggestions_for_next_time: whatFailed?.action_items ?? [],
  };
}

/** A completed task counts as 100 %, whatever its runner reports. */
function percentOf({ completionPercent: percent }: AttemptResult, status: TaskStatus): number | undefined {
  return percent ?? (status === "completed" ? 100 : undefined);
}

export interface CompletedAttempt {
  attempt: Attempt;
  /** Not set if there was nothing to reflect on. */
  reflection?: Reflection;
  /** On the task as a whole, once it is completed and there is something to say. */
  task_reflection?: Reflection;
  /** Why the rules' reflection was kept although a model should have written one. */
  degraded?: string[];
}

/** Ends the running attempt and reflects on it if there is something to say; `check` may reject it. */
export async function completeAttempt(
  context: EpisodicContext,
  taskId: string,
  result: AttemptResult,
  check: (tx: Repositories) => Promise<void> = async () => undefined,
): Promise<CompletedAttempt> {
  checkResult(result);
  const { store, clock, window, root } = context;
  const { attempt, reflection, onTask, report } = await store.transaction(async (tx) => {
    const { task, attempt: running } = await getHeldAttempt(tx, taskId, result.runId, clock());
    await check(tx);
    const at = { now: clock().toISOString(), window, root };
    const ended = await endAttempt(tx, task, running, withoutSecrets(result), at);
    return { ...ended, attempt: publicAttempt(task, ended.attempt) };
  });
  const completed = {
    attempt,
    ...(reflection && { reflection }),
    ...(onTask && { task_reflection: onTask }),
  };
  // A person who interrupts an attempt should not wait for a model.
  if (result.reflection !== undefined || result.reason === interrupted) return completed;
  const improved = await improveReflection(context, report);
  if (improved.kind === "improved") return { ...completed, reflection: improved.reflection };
  return improved.kind === "kept" ? { ...completed, degraded: [improved.reason] } : completed;
}

function withoutSecrets({ output, ...result }: AttemptResult): AttemptResult {
  const { reason, ...safe } = redactDeep(result);
  return { ...safe, reason: reason?.trim() || undefined, output: output && clipOutput(output) };
}

function checkResult({ outcome, quality, completionPercent: percent }: AttemptResult): void {
  if (!outcomes.includes(outcome)) {
    throw new RalphError("wrong-use", `Unknown outcome: ${String(outcome)}`, {
      hint: suggest(String(outcome), outcomes),
    });
  }
  checkQuality(quality);
  if (percent !== undefined && !(percent >= 0 && percent <= 100)) {
    throw new RalphError("wrong-use", `Completion is a number from 0 to 100 percent, not ${percent}`);
  }
}
