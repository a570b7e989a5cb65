import { secondsBetween } from "../../../domain/clock.js";
import type { LoopIteration, LoopState } from "../../../domain/knowledge/learning.js";
import type { IterationResult } from "../../../domain/tasks/attempt.js";
import type { Reflection } from "../../../domain/tasks/reflection.js";
import { sessionTag } from "../../../domain/tasks/task.js";
import { isJudging } from "../../../episodic/attempts/end-iteration.js";
import { type IterationProgress, progressOfEach } from "../../../episodic/history/iteration-progress.js";
import type { AttemptHistory, TaskHistory } from "../../../episodic/history/query-history.js";
import { classifyTask } from "../../../semantic/classify-task.js";
import type { TaskEvidence } from "../../../semantic/credit-brief.js";
import type { Episode } from "../../../semantic/extract/task-record.js";

/** The global id of an attempt. */
export function episodeId(taskId: string, attemptId: number): string {
  return `${taskId}/${attemptId}`;
}

/** A task as a loop state, the input of extraction. */
export function loopOf(history: TaskHistory): LoopState {
  const iterations = history.attempts.flatMap((attempt) => iterationsOf(attempt, history.reflections));
  return {
    loopId: history.id,
    objective: history.description,
    status: history.status,
    currentIteration: iterations.length,
    iterations: iterations.map((iteration, index) => ({ ...iteration, number: index + 1 })),
  };
}

function iterationsOf(attempt: AttemptHistory, reflections: readonly Reflection[]): LoopIteration[] {
  const judged = attempt.results.filter(({ success }) => success !== undefined);
  if (judged.length === 0) return wholeAttempt(attempt, reflections);
  const progress = progressOfEach(judged);
  return judged.map((result, index) =>
    toIteration(attempt, { result, before: judged[index - 1], progress: progress[index] }, reflections),
  );
}

/** An attempt without judged iterations counts as one iteration. */
function wholeAttempt(attempt: AttemptHistory, reflections: readonly Reflection[]): LoopIteration[] {
  if (attempt.outcome === undefined) return [];
  const isSuccess = attempt.outcome.status === "success";
  const seconds = attempt.duration_seconds ?? 0;
  return [
    {
      status: isSuccess ? "completed" : "failed",
      ...(seconds > 0 && { duration: seconds * 1000 }),
      analysis: {
        progressMade: isSuccess,
        errors: attempt.errors_encountered.map(({ message }) => message),
      },
      learnings: statementsOf(attempt, reflections),
      filesModified: changedFiles(attempt),
    },
  ];
}

interface JudgedIteration {
  result: IterationResult;
  before: IterationResult | undefined;
  progress: IterationProgress | undefined;
}

/** Completed if the agent ended normally and neither repeated the failures before nor made them worse. */
function toIteration(
  attempt: AttemptHistory,
  { result, before, progress }: JudgedIteration,
  reflections: readonly Reflection[],
): LoopIteration {
  const isKnown = result.quality !== undefined && before?.quality !== undefined;
  const progressMade = progress === "done" || progress === "progress";
  const isCompleted = result.trouble === undefined && (progressMade || (progress === "open" && isKnown));
  const own = reflections.filter(
    (each) => each.attempt_id === attempt.id && each.iteration === result.iteration,
  );
  const began = before?.timestamp ?? attempt.started;
  const seconds = secondsBetween(began, result.timestamp ?? began);
  const isLast = result.iteration === attempt.results.at(-1)?.iteration;
  return {
    status: isCompleted ? "completed" : "failed",
    ...(seconds > 0 && { duration: seconds * 1000 }),
    analysis: {
      progressMade,
      // A reflection without a lesson does not say what failed.
      errors: own.filter(({ learning }) => learning !== "").map(({ observation }) => observation),
    },
    learnings: isLast && isCompleted ? statementsOf(attempt, reflections) : [],
    filesModified: changedFiles(attempt, result.iteration),
  };
}

/** Finished attempts of a task, for consolidation. */
export function episodesOf(history: TaskHistory): Episode[] {
  return history.attempts.flatMap((attempt) =>
    attempt.outcome === undefined
      ? []
      : [
          {
            id: episodeId(history.id, attempt.id),
            task_id: history.id,
            goal: history.description,
            succeeded: attempt.outcome.status === "success",
            ended: attempt.ended ?? attempt.started,
            statements: statementsOf(attempt, history.reflections),
            errors: attempt.errors_encountered,
            files: attempt.context.files_involved,
            git_commit: attempt.git_commit,
          },
        ],
  );
}

/** Whether anything told how the task ended: nobody judges a session, and one without a check proves nothing about what it was shown. */
export function isJudged({ tags, attempts }: Pick<TaskHistory, "tags" | "attempts">): boolean {
  return !tags.includes(sessionTag) || attempts.some(({ actions }) => actions.some(isJudging));
}

/** The outcome of a finished task, as evidence for the records it was shown. */
export function evidenceOf(history: TaskHistory): TaskEvidence {
  const { attempts, reflections } = history;
  return {
    task_id: history.id,
    task_type: classifyTask(history.description),
    succeeded: history.status === "completed",
    said: [
      ...attempts.flatMap(({ actions }) => actions.flatMap(({ reasoning }) => reasoning ?? [])),
      ...attempts.flatMap(({ outcome }) => outcome?.what_worked ?? []),
      ...reflections.filter(isAuthored).flatMap(({ observation, learning }) => [observation, learning]),
    ],
    files: attempts.flatMap(({ context }) => context.files_involved),
    errors: attempts.flatMap(({ errors_encountered: errors }) => errors.map(({ message }) => message)),
  };
}

/** What worked and what was learned. Rule-written reflections on a success list edits, not reasons, and are skipped. */
export function statementsOf(attempt: AttemptHistory, reflections: readonly Reflection[]): string[] {
  const own = reflections.filter((each) => each.attempt_id === attempt.id && each.iteration === undefined);
  const learned = own.filter(isAuthored).map(({ learning, observation }) => learning || observation);
  const said = [...new Set([...(attempt.outcome?.what_worked ?? []), ...learned])];
  return said.filter((text) => !isMereSuccess.test(text.trim()));
}

const isMereSuccess =
  /^(?:(?:all|the) )*(?:tests?|build|checks?|everything|it|task|all)?(?: (?:are|is))?(?: now)? ?(?:pass(?:es|ed|ing)?|done|fixed|works?|worked|green|succeeded|completed?|stable|fine|ok(?:ay)?|good|clean|resolved|solved|looks good|runs?)(?: now)?[.!]*$/i;

function isAuthored({ written_by: author }: Reflection): boolean {
  return author !== "rules";
}

function changedFiles(
  { actions, artifacts_produced: artifacts }: AttemptHistory,
  iteration?: number,
): string[] {
  const edits = actions.filter(
    (action) =>
      /^(?:write|edit|multiedit)$/i.test(action.type ?? action.tool) &&
      (iteration === undefined || action.iteration === iteration),
  );
  const paths = edits.flatMap(({ params }) =>
    [params.file_path, params.path].filter((path): path is string => typeof path === "string"),
  );
  return [...new Set([...paths, ...(iteration === undefined ? artifacts : [])])];
}
