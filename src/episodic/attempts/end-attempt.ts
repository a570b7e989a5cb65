import { notBefore } from "../../domain/clock.js";
import { isVerdict } from "../../domain/tasks/action.js";
import { interrupted, type Outcome } from "../../domain/tasks/attempt.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { TaskStatus } from "../../domain/tasks/task.js";
import { describeFailure } from "../../failures/failure.js";
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
import { isSameFailure } from "../../text/same-failure.js";
import type { EndingContext } from "../episodic-context.js";
import { rateReflections } from "../reflections/rate-reflections.js";
import { reflectByRules, reflectOnTaskByRules, toReflection } from "../reflections/reflect-by-rules.js";
import { lessonGist } from "../reflections/rules/tried-without.js";
import type { PreviousWork, WorkReport } from "../reflections/work-report.js";
import { recordErrors } from "../resolutions/record-errors.js";
import { putInIndex } from "../tasks/index-task.js";
import { type AttemptWork, readTaskWork, type TaskWork } from "../tasks/task-work.js";
import { editedFiles, touchedFiles } from "../tasks/work-done.js";
import { workWords } from "../tasks/work-words.js";
import { scaleWindow } from "../window/scale-window.js";
import { reflectionsShownTo } from "../window/window.js";
import type { AttemptResult } from "./attempt-result.js";

export interface EndedAttempt {
  attempt: StoredAttempt;
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
  reading: Promise<TaskWork> = readTaskWork(tx, task.number),
): Promise<EndedAttempt> {
  const { attempts: all, reflections } = await reading;
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

/** Attempts as they are now, with what is known to have been done in them. */
function withResults(attempts: readonly StoredAttempt[], known: readonly AttemptWork[]) {
  const results = new Map(known.map((each) => [each.key, each.results]));
  return attempts.map((attempt) => ({ ...attempt, results: results.get(attempt.key) ?? [] }));
}

/** What the reflection on the attempt's last iteration does not say already; a limit is recorded in any case. */
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

/** An attempt that was only stopped says nothing about the task: there is nothing to reflect on. */
function isOnlyInterrupted({ failures }: WorkReport, { reason, reflection }: AttemptResult): boolean {
  return reason === interrupted && failures.length === 0 && reflection === undefined;
}

interface EndOfWork {
  earlier: AttemptWork | undefined;
  result: AttemptResult;
  readAction: ReadAction;
  ended: string;
}

/** What is known of the attempt, except for what was resolved. */
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

/** What the last iteration printed, if the runner gives no output for the whole attempt. */
function lastOutput({ results }: AttemptWork): string | undefined {
  return results.findLast(({ output }) => output?.trim())?.output;
}

/** An attempt as the next one is compared with it: the unresolved errors that it ended with, and its quality. */
export function previousWorkOf(attempt: AttemptWork): PreviousWork {
  const { id, outcome, errors_encountered: errors } = attempt;
  const unresolved = errors.flatMap(({ resolution, message }) => (resolution === undefined ? [message] : []));
  const last = findFailures(lastOutput(attempt) ?? "").map(describeFailure);
  // What an earlier iteration met is over, although no check has passed since that would confirm it.
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

/** A completed task is done, whether its runner says how far it got or not. */
function percentOf({ completionPercent: percent }: AttemptResult, status: TaskStatus): number | undefined {
  return percent ?? (status === "completed" ? 100 : undefined);
}
