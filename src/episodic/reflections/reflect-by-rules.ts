import type { OutcomeStatus } from "../../domain/tasks/attempt.js";
import { type Reflection, type ReflectionType, saysSomething } from "../../domain/tasks/reflection.js";
import { capitalised } from "../../text/capitalised.js";
import { describeGap, reflectOnFailures, rerunCommand } from "./reflect-on-failures.js";
import { reflectOnSuccess, reflectOnTask } from "./reflect-on-success.js";
import { reflectOnTimeout } from "./reflect-on-timeout.js";
import { asSentences, type ReflectionText, type WorkReport, workName } from "./work-report.js";
import { describeTried, workTried } from "./work-tried.js";

const types: Record<OutcomeStatus, ReflectionType> = {
  failure: "error-analysis",
  success: "success-pattern",
  timeout: "process-improvement",
};

/**
 * Reflects without a model, based on the tools' output, the actions and the previous iteration or attempt. Undefined if there is nothing to
 * say; a reached limit is always recorded.
 */
export function reflectByRules(report: WorkReport, now: string): Reflection | undefined {
  const reflection = toReflection(report, reflect(report), now);
  return saysSomething(reflection) || report.limit !== undefined ? reflection : undefined;
}

/** The record of a reflection. */
export function toReflection(report: WorkReport, text: ReflectionText, now: string): Reflection {
  const { task, attemptId, iteration, outcome, limit } = report;
  return {
    timestamp: now,
    task_id: task.id,
    attempt_id: attemptId,
    ...(iteration !== undefined && { iteration }),
    ...text,
    triggered_by: iteration === undefined ? outcome : "iteration",
    reflection_type: limit === undefined ? types[outcome] : "constraint-discovery",
    written_by: "rules",
  };
}

/** Reflects on a completed task as a whole; undefined if its last attempt's reflection suffices. */
export function reflectOnTaskByRules(
  report: WorkReport,
  attempts: Parameters<typeof reflectOnTask>[1],
  now: string,
): Reflection | undefined {
  const reflection: Reflection = {
    ...toReflection(report, reflectOnTask(report, attempts), now),
    reflection_type: "process-improvement",
  };
  return saysSomething(reflection) ? reflection : undefined;
}

function reflect(report: WorkReport): ReflectionText {
  if (report.outcome === "success") return reflectOnSuccess(report);
  if (report.outcome === "timeout") return reflectOnTimeout(report);
  return report.failures.length > 0 ? reflectOnFailures(report) : reflectWithoutFailures(report);
}

function reflectWithoutFailures(report: WorkReport): ReflectionText {
  const { reason, limit, verdict, actions, changedFiles } = report;
  const why = reason || limit;
  const known = [why, verdict].filter((text) => text !== undefined && text !== "").join("; ");
  const last = lastLine(report.output);
  const tried = workTried(actions, changedFiles);
  const done = describeTried(tried);
  const isExplained = known !== "" || last !== undefined;
  return {
    observation:
      known || `${capitalised(workName(report))} failed, without a failure that is known by its form`,
    analysis: isExplained
      ? asSentences([
          last === undefined || last.startsWith("$ ") ? "" : `The output ends with "${last}"`,
          done === "" ? describeGap(actions, tried, undefined) : `Tried: ${done}`,
        ])
      : "",
    // A reached limit or a failed command is not a lesson.
    learning: limit === undefined ? (reason ?? "") : "",
    action_items: isExplained ? rerunCommand(actions) : [],
  };
}

const maxLine = 160;

function lastLine(output = ""): string | undefined {
  const line = output.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? undefined : line.slice(0, maxLine);
}
