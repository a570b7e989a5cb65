import { notBefore } from "../../domain/clock.js";
import { type Action, isCheck } from "../../domain/tasks/action.js";
import { interrupted, type Outcome } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import { failuresOf, type ReadAction, readActionsOnce } from "../../failures/failures-of.js";
import { findFailures } from "../../failures/find-failures.js";
import { relativePath } from "../../files/relative-path.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { EndingContext } from "../episodic-context.js";
import { rateReflections } from "../reflections/rate-reflections.js";
import { reflectByRules, reflectOnTask, toReflection } from "../reflections/reflect-by-rules.js";
import type { PreviousWork, WorkReport } from "../reflections/work-report.js";
import { recordErrors } from "../resolutions/record-errors.js";
import { indexTask } from "../tasks/index-task.js";
import { editedFiles, touchedFiles } from "../tasks/work-done.js";
import { scaleWindow } from "../window/scale-window.js";
import type { AttemptResult } from "./attempt-result.js";

export interface EndedAttempt {
  reflection: Reflection;
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
  const report = reportOf(task, attempt, { earlier, result, actions, readAction });
  const reflection = reflect(report, result, ended);
  const isReflectedOn = !isOnlyInterrupted(report, result);
  await tx.attempts.end(attempt.key, {
    ended,
    outcome: toOutcome(report, result, isReflectedOn ? reflection : undefined),
    errors: await recordErrors(tx, task, attempt, { report, given: result.errors, readAction }),
    artifacts: inProject(result.artifacts ?? []),
    files: inProject([
      ...(result.files ?? []),
      ...editedFiles(report.actions),
      ...touchedFiles(report.actions),
    ]),
    gitCommit: result.gitCommit,
  });
  if (earlier !== undefined) {
    const reflections = await tx.reflections.listForAttempt(task.number, earlier.id);
    await rateReflections(tx, reflections, report);
  }
  const status = result.status ?? (result.outcome === "success" ? "completed" : "failed");
  const written = [
    ...(isReflectedOn ? [reflection] : []),
    ...(status === "completed" ? [reflectOnTask(report, ended)] : []),
  ];
  for (const entry of written) await tx.reflections.record(task.number, entry);
  await tx.tasks.setStatus(task.number, status, notBefore(task.updated, ended));
  // Judged iterations have already scaled the window.
  if (!(await tx.iterationResults.hasVerdict(attempt.key)))
    await scaleWindow(tx, task, attempt.id, window, ended);
  await indexTask(tx, { ...task, status, updated: ended });
  return { reflection, report };
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
}

function reportOf(
  task: StoredTask,
  attempt: StoredAttempt,
  { earlier, result, actions: all, readAction }: AttemptWork,
): WorkReport {
  // Checks are not the agent's work.
  const actions = all.filter((action) => !isCheck(action));
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
    output: result.output,
    actions,
    changedFiles: result.artifacts,
    failures: failuresOf(result.failures ?? findFailures(result.output ?? ""), actions, readAction),
    previous: earlier && previousWorkOf(earlier),
  };
}

/** An attempt as the next one is compared with it: its unresolved errors and its quality. */
export function previousWorkOf({ id, outcome, errors_encountered: errors }: StoredAttempt): PreviousWork {
  return {
    name: `attempt ${id}`,
    errors: errors.filter(({ resolution }) => resolution === undefined).map(({ message }) => message),
    quality: outcome?.final_quality,
  };
}

function reflect(report: WorkReport, { reflection: given }: AttemptResult, now: string): Reflection {
  const byRules = reflectByRules(report, now);
  const observation = given?.observation ?? given?.learning;
  if (given === undefined || observation === undefined) return byRules;
  const text = {
    observation,
    analysis: given.analysis ?? "",
    learning: given.learning ?? observation,
    action_items: given.action_items ?? byRules.action_items,
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
