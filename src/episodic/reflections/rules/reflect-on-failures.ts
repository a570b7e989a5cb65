import { type Action, commandOf } from "../../../domain/tasks/action.js";
import { describeFailure, type Failure } from "../../../failures/failure.js";
import { capitalised } from "../../../text/capitalised.js";
import { counted } from "../../../text/counted.js";
import { sameFile } from "../../tasks/work-done.js";
import { type Comparison, compareFailures } from "../compare-failures.js";
import type { ReflectionText, WorkReport } from "../work-report.js";
import { advise, isOfTheProject } from "./advise.js";
import { asSentences } from "./as-sentences.js";
import { leftToSolve, triedWithout } from "./tried-without.js";
import { describeTried, lookupCommand, type WorkTried, workTried } from "./work-tried.js";

/** What failed, how that compares with the work before, and what was tried. The failure is spelled out once in each field that stands alone. */
export function reflectOnFailures(report: WorkReport): ReflectionText {
  const { failures, actions, previous, reason, limit, changedFiles } = report;
  const [first, ...others] = failures as [Failure, ...Failure[]];
  const tried = workTried(actions, changedFiles);
  const comparison = compareFailures(failures, previous);
  const missed = missedFile(first, tried.files);
  const rest =
    others.length === 0
      ? ""
      : `, and ${others.length} more (${others.slice(0, 3).map(shortName).join(", ")})`;
  const why = [reason, limit].filter((text) => text !== undefined && text !== "").join("; ");
  return {
    observation: `${counted(failures.length, "failure")}${why ? ` (${why})` : ""}: ${describeFailure(first)}${rest}`,
    analysis: asSentences([describeComparison(comparison), describeGap(actions, tried, missed)]),
    learning: lessonOf(comparison, first, tried),
    action_items: [
      ...(missed === undefined ? [] : [`Edit ${missed}, which was not touched`]),
      ...advise(failures),
      ...rerunCommand(actions),
    ],
  };
}

/** A command that failed, to be run again. */
export function rerunCommand(actions: readonly Action[]): string[] {
  const commands = actions.filter(({ success }) => !success).flatMap((action) => commandOf(action) ?? []);
  const failing = commands.findLast((command) => !lookupCommand.test(command));
  return failing === undefined ? [] : [`Run \`${failing}\` again to check`];
}

function shortName({ test, code, file, message }: Failure): string {
  return test ?? code ?? file ?? message.slice(0, 40);
}

function describeComparison(comparison: Comparison): string {
  switch (comparison.kind) {
    case "first":
      return "";
    case "same":
      return `Same failure as in ${comparison.previous.name}`;
    case "progress":
      return `Fewer failures than in ${comparison.previous.name}: ${comparison.left} of ${comparison.previous.errors.length} left`;
    case "new":
      return `A new failure; ${comparison.previous.name} had ${comparison.previous.errors[0]}`;
  }
}

/** What was not done; what was done stands in the lesson. */
export function describeGap(
  actions: readonly Action[],
  tried: WorkTried,
  missed: string | undefined,
): string {
  const done = describeTried(tried);
  if (done === "")
    return actions.length === 0 ? "" : `None of ${counted(actions.length, "action")} edited a file`;
  return missed === undefined ? "" : `${missed} was not edited`;
}

function lessonOf(comparison: Comparison, first: Failure, tried: WorkTried): string {
  const failure = describeFailure(first);
  const done = capitalised(describeTried(tried));
  if (comparison.kind === "same") return triedWithout(done || "Trying again", "did not help", failure);
  if (comparison.kind === "progress")
    return `${done === "" ? "Solved:" : `${done} helped with`} ${comparison.gone[0]}; ${leftToSolve(failure)}`;
  return done === "" ? capitalised(leftToSolve(failure)) : triedWithout(done, "was not enough", failure);
}

/** The file of the project that the failure names, if only others were edited. A test that fails is where it shows, not what to edit. */
function missedFile({ file, test }: Failure, edited: readonly string[]): string | undefined {
  if (file === undefined || test !== undefined) return undefined;
  if (edited.length === 0 || !isOfTheProject(file)) return undefined;
  return edited.some((candidate) => sameFile(candidate, file)) ? undefined : file;
}
