import { subjectOf } from "../../domain/tasks/action.js";
import type { Outcome } from "../../domain/tasks/attempt.js";
import type { AttemptHistory, TaskHistory } from "../../episodic/history/query-history.js";
import { unique } from "../../text/unique.js";
import { defined } from "../defined.js";
import { newAction, newAttempt } from "../new-task.js";
import { RecordFields } from "../record-fields.js";

export const episodeOutcomes = ["success", "failure", "partial"] as const;

/** What an episode says about its task. */
export interface Episode {
  id: string;
  taskId: string;
  started: string;
  fields: RecordFields;
}

export function openEpisode(value: unknown, place: string): Episode {
  const fields = new RecordFields(value, place);
  const id = fields.text("id");
  return { id, taskId: fields.findText("task_id") || id, started: fields.time("timestamp"), fields };
}

/** The trace of one episode as an attempt. */
export function attemptOf({ fields, id, taskId, started }: Episode, number: number): AttemptHistory {
  const context = fields.findRecord("context");
  const seconds = fields.findNumber("duration_seconds");
  const status = fields.findOneOf("outcome", episodeOutcomes);
  const ended = new Date(Date.parse(started) + (seconds ?? 0) * 1000).toISOString();
  const agent = fields.findText("agent");
  return newAttempt({
    ...{ id: number, started },
    ...(status !== undefined && { ended, outcome: outcomeOf(status) }),
    ...defined({ duration_seconds: seconds, git_commit: fields.findText("git_commit") || undefined }),
    task: {
      id: taskId,
      description: context?.findText("goal") || id,
      ...defined({ phase: context?.findText("phase") || undefined }),
      constraints: context?.texts("constraints") ?? [],
    },
    files: context?.texts("files_involved") ?? [],
    actions: fields.records("action_log").map((action) => actionOf(action, started)),
    errors_encountered: fields.records("errors_encountered").map((error) => ({
      type: error.findText("type") || "error",
      message: error.findText("message") ?? "",
      ...defined({ resolution: error.findText("resolution") || undefined }),
    })),
    artifacts_produced: fields.texts("artifacts_produced"),
    ...(agent !== undefined && agent !== "" && { execution: { agent } }),
  });
}

/** Something was reached: the record has no word of its own for it. */
const partly = "partial";

function outcomeOf(status: (typeof episodeOutcomes)[number]): Outcome {
  return {
    status: status === "success" ? "success" : "failure",
    ...(status === "partial" && { reason: partly }),
    ...{ what_worked: [], what_didnt_work: [], suggestions_for_next_time: [] },
  };
}

const failedResult = /^(?:fail\w*|error)\b/i;

function actionOf(fields: RecordFields, started: string) {
  const seconds = fields.findNumber("t") ?? 0;
  const target = fields.findText("target") || undefined;
  const output = fields.findText("result");
  const error = fields.findText("error") || undefined;
  return newAction({
    timestamp: new Date(Date.parse(started) + seconds * 1000).toISOString(),
    tool: fields.findText("action") || "action",
    params: target === undefined ? {} : { path: target },
    success: error === undefined && !failedResult.test(output ?? ""),
    ...defined({ output, error }),
  });
}

/** An attempt in the published form. */
export function renderEpisode(
  attempt: AttemptHistory,
  { id, taskId, task }: { id: string; taskId: string; task: TaskHistory },
): Record<string, unknown> {
  const { started, ended, duration_seconds, context, execution, outcome } = attempt;
  const seconds = duration_seconds ?? secondsBetween(started, ended ?? started);
  return {
    id,
    task_id: taskId,
    timestamp: started,
    duration_seconds: seconds,
    ...defined({ agent: execution.agent ?? task.agent }),
    context: {
      ...defined({ phase: context.phase ?? task.phase }),
      goal: context.goal,
      constraints: unique([...task.constraints, ...context.constraints]),
      files_involved: context.files_involved,
    },
    action_log: attempt.actions.map((action) => ({
      t: secondsBetween(started, action.timestamp),
      action: action.tool,
      ...defined({
        target: subjectOf(action) || undefined,
        result: action.output ?? (action.success ? undefined : "fail"),
        error: action.error,
      }),
    })),
    ...(outcome !== undefined && { outcome: wordOf(outcome) }),
    errors_encountered: attempt.errors_encountered,
    artifacts_produced: attempt.artifacts_produced,
    ...defined({ git_commit: attempt.git_commit }),
  };
}

function wordOf({ status, reason, final_quality: quality = 0 }: Outcome): string {
  if (status === "success") return "success";
  return reason === partly || quality > 0 ? "partial" : "failure";
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
}
