import { notBefore } from "../../domain/clock.js";
import { type Action, isVerdict } from "../../domain/tasks/action.js";
import { interrupted, type Outcome } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import { failuresOf, type ReadAction, readActionsOnce } from "../../failures/failures-of.js";
import { findFailures, readFailedOutput } from "../../failures/find-failures.js";
import { relativePath } from "../../files/relative-path.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { EndingContext } from "../episodic-context.js";
import { rateReflections } from "../reflections/rate-reflections.js";
import { reflectByRules, reflectOnTaskByRules, toReflection } from "../reflections/reflect-by-rules.js";
import { lessonGist } from "../reflections/rules/tried-without.js";
import type { PreviousWork, WorkReport } from "../reflections/work-report.js";
import { recordErrors } from "../resolutions/record-errors.js";
import { indexTask } from "../tasks/index-task.js";
import { editedFiles, touchedFiles } from "../tasks/work-done.js";
import { scaleWindow } from "../window/scale-window.js";
import { reflectionsShownTo } from "../window/window.js";
import type { AttemptResult } from "./attempt-result.js";

export interface EndedAttempt {
  /** Not set if there was nothing to say. */
  reflection: Reflection | undefined;
  /** On the task as a whole, once it is completed. */
  onTask: Reflection | undefined;
  /** What was reflected on. */
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
  const ended = notBefore(attempt.started, now);
  const inProject = (files: readonly string[]) => [...new Set(files.map((file) => relativePath(root, file)))];
  const earlier = await tx.attempts.find(task.number, attempt.id - 1);
  const readAction = readActionsOnce();
  const actions = await tx.actions.list(attempt.key);
  const work = await reportOf(tx, task, attempt, { earlier, result, actions, readAction, ended });
  const { errors, resolved } = await recordErrors(tx, task, attempt, {
    report: work,
    actions,
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
  await rateReflections(tx, await reflectionsShownTo(tx, task, attempt), report);
  const onTask =
    status === "completed"
      ? reflectOnTaskByRules(report, await tx.attempts.list(task.number), ended)
      : undefined;
  for (const written of [await withoutRepetition(tx, task, reflection, report), onTask])
    if (written !== undefined) await tx.reflections.record(task.number, written);
  await tx.tasks.setStatus(task.number, status, notBefore(task.updated, ended));
  // Judged iterations have already scaled the window.
  if (!(await tx.iterationResults.hasVerdict(attempt.key)))
    await scaleWindow(tx, task, attempt.id, window, ended);
  await indexTask(tx, { ...task, status, updated: ended });
  return { reflection, onTask, report };
}

/** What the reflection on the attempt's last iteration does not say already; a limit is recorded in any case. */
async function withoutRepetition(
  tx: Repositories,
  task: StoredTask,
  reflection: Reflection | undefined,
  { reason, limit }: WorkReport,
): Promise<Reflection | undefined> {
  if (reflection?.written_by !== "rules") return reflection;
  const earlier = await tx.reflections.listForAttempt(task.number, reflection.attempt_id);
  const last = earlier.findLast(({ triggered_by: trigger }) => trigger === "iteration");
  const isTold = last !== undefined && lessonGist(last.learning) === lessonGist(reflection.learning);
  if (!isTold || reflection.learning === "") return reflection;
  if (limit === undefined) return undefined;
  const observation = [reason, limit].flatMap((text) => text || []).join("; ");
  return { ...reflection, observation, analysis: "", learning: "", action_items: [] };
}

/** An attempt that was only stopped says nothing about the task: there is nothing to reflect on. */
function isOnlyInterrupted({ failures }: WorkReport, { reason, reflection }: AttemptResult): boolean {
  return reason === interrupted && failures.length === 0 && reflection === undefined;
}

interface AttemptWork {
  earlier: StoredAttempt | undefined;
  result: AttemptResult;
  actions: readonly Action[];
  readAction: ReadAction;
  ended: string;
}

/** What is known of the attempt, except for what was resolved. */
async function reportOf(
  tx: Repositories,
  task: StoredTask,
  attempt: StoredAttempt,
  { earlier, result, actions: all, readAction, ended }: AttemptWork,
): Promise<WorkReport> {
  // Checks are not the agent's work.
  const actions = all.filter((action) => !isVerdict(action));
  const isSuccess = result.outcome === "success";
  const output = result.output ?? (isSuccess ? undefined : await lastOutput(tx, attempt));
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
    previous: earlier && { ...previousWorkOf(earlier), actions: await tx.actions.list(earlier.key) },
  };
}

/** What the last iteration printed, if the runner gives no output for the whole attempt. */
async function lastOutput(tx: Repositories, { key }: StoredAttempt): Promise<string | undefined> {
  return (await tx.iterationResults.list(key)).findLast(({ output }) => output?.trim())?.output;
}

/** An attempt as the next one is compared with it: its unresolved errors and its quality. */
export function previousWorkOf({ id, outcome, errors_encountered: errors }: StoredAttempt): PreviousWork {
  return {
    name: `attempt ${id}`,
    errors: errors.filter(({ resolution }) => resolution === undefined).map(({ message }) => message),
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

/** A completed task is done, whether its runner says how far it got or not. */
function percentOf({ completionPercent: percent }: AttemptResult, status: TaskStatus): number | undefined {
  return percent ?? (status === "completed" ? 100 : undefined);
}
