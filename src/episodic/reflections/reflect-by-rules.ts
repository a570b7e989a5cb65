import { type Action, commandOf } from "../../domain/tasks/action.js";
import type { OutcomeStatus } from "../../domain/tasks/attempt.js";
import type { Reflection, ReflectionType } from "../../domain/tasks/reflection.js";
import { describeFailure, type Failure } from "../../failures/failure.js";
import { capitalised } from "../../text/capitalised.js";
import { counted } from "../../text/counted.js";
import { editedFiles, listFiles, sameFile } from "../tasks/work-done.js";
import { advise } from "./advise.js";
import { type Comparison, compareFailures } from "./compare-failures.js";
import { quotedObjective, type ReflectionText, type WorkReport, workName } from "./work-report.js";

const types: Record<OutcomeStatus, ReflectionType> = {
  failure: "error-analysis",
  success: "success-pattern",
  timeout: "process-improvement",
};

/** Reflects without a model, on the tools' output, the edits and the comparison with the previous iteration or attempt. */
export function reflectByRules(report: WorkReport, now: string): Reflection {
  return toReflection(report, reflect(report), now);
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

/** Reflects on a completed task as a whole. */
export function reflectOnTask(report: WorkReport, now: string): Reflection {
  const { task, attemptId, iterations, previous } = report;
  const [obstacle] = previous?.errors ?? [];
  const path = `${task.id} took ${counted(attemptId, "attempt")}, the last one ${counted(iterations, "iteration")}`;
  const text: ReflectionText = {
    observation: path,
    analysis: obstacle === undefined ? "" : `The obstacle was ${obstacle}`,
    learning: obstacle === undefined ? "" : `Expect ${obstacle} in tasks like ${quotedObjective(report)}`,
    action_items: [],
  };
  return {
    ...toReflection(report, text, now),
    reflection_type: "process-improvement",
  };
}

function reflect(report: WorkReport): ReflectionText {
  if (report.outcome === "success") return reflectOnSuccess(report);
  if (report.failures.length > 0) return reflectOnFailures(report);
  return report.outcome === "timeout" ? reflectOnTimeout(report) : reflectWithoutFailures(report);
}

function reflectOnFailures(report: WorkReport): ReflectionText {
  const { failures, actions, previous, reason, limit } = report;
  const [first, ...others] = failures as [Failure, ...Failure[]];
  const edited = editedIn(report);
  const comparison = compareFailures(failures, previous);
  const missed = missedFile(first, edited);
  const rest =
    others.length === 0
      ? ""
      : `, and ${others.length} more (${others.slice(0, 3).map(shortName).join(", ")})`;
  const why = [reason, limit].filter((text) => text !== undefined && text !== "").join("; ");
  return {
    observation: `${counted(failures.length, "failure")}${why ? ` (${why})` : ""}: ${describeFailure(first)}${rest}`,
    analysis: [describeComparison(comparison, first), describeEdits(actions, edited, missed)]
      .filter((part) => part !== "")
      .join("; "),
    learning: lessonOf(comparison, first, edited),
    action_items: [
      ...(missed === undefined || first.test !== undefined ? [] : [`Edit ${missed}, which was not touched`]),
      ...advise(failures),
      ...rerunCommand(actions),
    ],
  };
}

function describeComparison(comparison: Comparison, first: Failure): string {
  switch (comparison.kind) {
    case "first":
      return "";
    case "same":
      return `Same failure as in ${comparison.previous.name}: ${describeFailure(first)}`;
    case "progress":
      return `Fewer failures than in ${comparison.previous.name}: ${comparison.left} of ${comparison.previous.errors.length} left; fixed: ${comparison.gone[0]}`;
    case "new":
      return `New failure: ${describeFailure(first)}; ${comparison.previous.name} had ${comparison.previous.errors[0]}`;
  }
}

/** The agent's own edits; without any, the files that changed. */
function editedIn({ actions, changedFiles = [] }: WorkReport): readonly string[] {
  const edited = editedFiles(actions);
  return edited.length > 0 ? edited : changedFiles;
}

function describeEdits(
  actions: readonly Action[],
  edited: readonly string[],
  missed: string | undefined,
): string {
  if (edited.length === 0 && actions.length === 0) return "";
  if (edited.length === 0) return `none of ${counted(actions.length, "action")} edited a file`;
  const edits = `${listFiles(edited)} ${edited.length === 1 ? "was" : "were"} edited`;
  return missed === undefined ? edits : `${edits}, ${missed} was not`;
}

function lessonOf(comparison: Comparison, first: Failure, edited: readonly string[]): string {
  const failure = describeFailure(first);
  const edits = listFiles(edited);
  if (comparison.kind === "same")
    return edits === ""
      ? `Retrying without an edit did not help with ${failure}`
      : `Editing ${edits} did not help with ${failure}`;
  if (edits === "") return `Still to solve: ${failure}`;
  return comparison.kind === "progress"
    ? `Editing ${edits} helped with ${comparison.gone[0]}; still to solve: ${failure}`
    : `Editing ${edits} was not enough: ${failure}`;
}

/** The file that the failure names, if only others were edited. */
function missedFile({ file }: Failure, edited: readonly string[]): string | undefined {
  if (file === undefined || edited.length === 0) return undefined;
  return edited.some((candidate) => sameFile(candidate, file)) ? undefined : file;
}

function reflectOnTimeout(report: WorkReport): ReflectionText {
  const { actions, reason, limit } = report;
  const longest = longestStep(actions);
  const step = longest === undefined ? undefined : `\`${longest.name}\` (${longest.seconds} s)`;
  const after = actions.length === 0 ? "" : ` after ${counted(actions.length, "action")}`;
  const why = reason ?? limit;
  return {
    observation: `${capitalised(workName(report))} of ${quotedObjective(report)} ran out of time${after}${why ? `: ${why}` : ""}`,
    analysis: step === undefined ? "" : `The longest step was ${step}`,
    learning: step === undefined ? "" : `Most of the time for ${quotedObjective(report)} went into ${step}`,
    action_items: longest === undefined ? [] : [`Run only part of \`${longest.name}\` at a time`],
  };
}

function reflectWithoutFailures(report: WorkReport): ReflectionText {
  const { reason, limit, verdict, actions } = report;
  const why = reason || limit;
  const last = lastLine(report.output);
  const ending = verdict && last && !last.startsWith("$ ") ? `the output ends with "${last}"` : undefined;
  const known = [why, verdict, ending].filter((text) => text !== undefined && text !== "").join("; ");
  if (known !== "") {
    const edits = describeEdits(actions, editedIn(report), undefined);
    // A reached limit or a failed command is not a lesson.
    const learning = limit === undefined ? (why ?? "") : "";
    return { observation: known, analysis: edits, learning, action_items: rerunCommand(actions) };
  }
  const observation =
    last === undefined
      ? `No output, failed action or reason was recorded for ${workName(report)} of ${quotedObjective(report)}`
      : `No known failure in the output of ${workName(report)}; it ends with "${last}"`;
  return { observation, analysis: "", learning: "", action_items: [] };
}

const maxLine = 160;

function lastLine(output = ""): string | undefined {
  const line = output.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? undefined : line.slice(0, maxLine);
}

function reflectOnSuccess(report: WorkReport): ReflectionText {
  const { previous, whatWorked, iterations, failures } = report;
  const edited = editedIn(report);
  const work = whatWorked.length > 0 ? whatWorked.join("; ") : editingWords(edited);
  // Failures left in the output: none is known to be fixed.
  const [obstacle] = failures.length > 0 ? [] : (previous?.errors ?? []);
  const path = iterations > 1 ? ` after ${iterations} iterations` : "";
  return {
    observation: `${quotedObjective(report)} succeeded in ${workName(report)}${path}${work ? `: ${work}` : ""}`,
    analysis: obstacle === undefined ? "" : `Fixed what ${previous?.name} failed with: ${obstacle}`,
    learning:
      obstacle !== undefined && work !== ""
        ? `${capitalised(work)} resolved ${obstacle}`
        : work && `For ${quotedObjective(report)}: ${work}`,
    action_items: [],
  };
}

/** Commands that fail when they find nothing. */
const lookupCommand = /^(?:grep|egrep|rg|ag|test|\[|diff|which|ls|find)\b/;

function editingWords(edited: readonly string[]): string {
  return edited.length === 0 ? "" : `editing ${listFiles(edited)}`;
}

function rerunCommand(actions: readonly Action[]): string[] {
  const commands = actions.filter(({ success }) => !success).flatMap((action) => commandOf(action) ?? []);
  const failing = commands.findLast((command) => !lookupCommand.test(command));
  return failing === undefined ? [] : [`Run \`${failing}\` again to check`];
}

/** The step with the longest time until the next one. */
function longestStep(actions: readonly Action[]): { name: string; seconds: number } | undefined {
  const steps = actions.slice(0, -1).map((action, index) => ({
    name: commandOf(action) ?? action.tool,
    seconds: Math.round(
      (Date.parse(actions[index + 1]?.timestamp ?? "") - Date.parse(action.timestamp)) / 1000,
    ),
  }));
  const longest = steps.toSorted((a, b) => b.seconds - a.seconds)[0];
  return longest !== undefined && longest.seconds > 0 ? longest : undefined;
}

function shortName({ test, code, file, message }: Failure): string {
  return test ?? code ?? file ?? message.slice(0, 40);
}
