import type { Action } from "../domain/action.js";
import type { EncounteredError, OutcomeStatus } from "../domain/attempt.js";
import type { Reflection, ReflectionType } from "../domain/reflection.js";
import type { StoredAttempt } from "../store/repositories/attempts.js";
import type { StoredTask } from "../store/repositories/tasks.js";
import { counted } from "../text/counted.js";
import type { AttemptResult } from "./attempt-result.js";
import { describeFailure, type Failure, placeOf } from "./failure.js";
import { findFailures } from "./find-failures.js";

/** What is known when an attempt ends. */
export interface AttemptFacts {
  task: StoredTask;
  attempt: StoredAttempt;
  actions: readonly Action[];
  result: AttemptResult;
  /** What the output, or an action, says is wrong. */
  failures: readonly Failure[];
  earlier: StoredAttempt | undefined;
}

const types: Record<OutcomeStatus, ReflectionType> = {
  failure: "error-analysis",
  success: "success-pattern",
  timeout: "process-improvement",
};

type Thought = Pick<Reflection, "observation" | "analysis" | "learning" | "action_items">;

/** Reflects without a model: on what the tools said, what was edited, and how it compares with the attempt before. */
export function reflectOnAttempt(facts: AttemptFacts, now: string): Reflection {
  const thought = facts.result.outcome === "success" ? thinkAboutSuccess(facts) : thinkAboutFailure(facts);
  return record(facts, thought, types[facts.result.outcome], now);
}

/** What the whole task was like, once it is completed. */
export function reflectOnTask(facts: AttemptFacts, now: string): Reflection {
  const { task, attempt } = facts;
  const [earlier] = earlierErrors(facts);
  const path = `${task.id} took ${counted(attempt.id, "attempt")}, the last one ${counted(attempt.execution.iterations, "iteration")}`;
  return record(
    facts,
    {
      observation: path,
      analysis: earlier === undefined ? "" : `What stood in the way before was ${earlier}`,
      learning: earlier === undefined ? path : `Expect ${earlier} in tasks like "${task.description}"`,
      action_items: [],
    },
    "process-improvement",
    now,
  );
}

function record(
  { task, attempt, result }: AttemptFacts,
  thought: Thought,
  type: ReflectionType,
  now: string,
): Reflection {
  return {
    timestamp: now,
    task_id: task.id,
    attempt_id: attempt.id,
    ...thought,
    triggered_by: result.outcome,
    reflection_type: type,
  };
}

function thinkAboutFailure(facts: AttemptFacts): Thought {
  const { result, actions, failures } = facts;
  const [first, ...others] = failures;
  if (first === undefined) {
    const known = result.reason ?? "";
    const observation =
      known || "Nothing specific is known: no output, no failing action and no reason were recorded.";
    return { observation, analysis: "", learning: known, action_items: [] };
  }
  const rest =
    others.length === 0
      ? ""
      : `, and ${others.length} more (${others.slice(0, 3).map(shortName).join(", ")})`;
  const reason = result.reason ? ` (${result.reason})` : "";
  const command = lastFailingCommand(actions);
  const isRepeated = isSameAs(facts, first);
  const edited = editedFiles(actions);
  return {
    observation: `${counted(failures.length, "failure")}${reason}: ${describeFailure(first)}${rest}`,
    analysis: analyse(facts, first, isRepeated, edited),
    learning: isRepeated
      ? `${edited.length === 0 ? "Trying again without a change" : `Editing ${edited.join(", ")}`} did not help against ${describeFailure(first)}`
      : `${describeFailure(first)} has to be dealt with${edited.length === 0 ? "" : ` after editing ${edited.join(", ")}`}`,
    action_items: [
      ...(first.file === undefined ? [] : [`Look at ${placeOf(first)}: ${first.message}`]),
      ...others.slice(0, 2).map((failure) => `Then ${describeFailure(failure)}`),
      ...(command === undefined ? [] : [`Run ${command} again and compare`]),
    ],
  };
}

function analyse(
  facts: AttemptFacts,
  first: Failure,
  isRepeated: boolean,
  edited: readonly string[],
): string {
  const { earlier } = facts;
  const edits =
    edited.length === 0
      ? "no file was edited"
      : `${edited.join(", ")} ${edited.length === 1 ? "was" : "were"} edited`;
  const missed =
    first.file !== undefined && edited.length > 0 && !edited.some((file) => sameFile(file, first.file ?? ""));
  const notTouched = missed ? `, ${first.file} was not` : "";
  if (earlier === undefined) return `In this attempt ${edits}${notTouched}`;
  if (isRepeated) return `The same failure as in attempt ${earlier.id}, although ${edits}${notTouched}`;
  const [before] = earlierErrors(facts);
  const against = before === undefined ? "" : `; attempt ${earlier.id} had ${before}`;
  return `A new failure${against}; ${edits}${notTouched}`;
}

function thinkAboutSuccess(facts: AttemptFacts): Thought {
  const { attempt, actions, task, earlier } = facts;
  const edited = editedFiles(actions);
  const work = edited.length === 0 ? counted(actions.length, "action") : `editing ${edited.join(", ")}`;
  const [before] = earlierErrors(facts);
  const resolved = before === undefined ? "" : `; attempt ${earlier?.id} had failed with ${before}`;
  return {
    observation: `"${task.description}" succeeded in attempt ${attempt.id} by ${work}`,
    analysis: resolved.slice(2),
    learning:
      before === undefined ? `For "${task.description}": ${work}` : `${before} was resolved by ${work}`,
    action_items: [],
  };
}

/** From the verification's output, else from the actions that failed, the last one first. */
export function failuresOf(actions: readonly Action[], output: string | undefined): Failure[] {
  const fromOutput = output === undefined ? [] : findFailures(output);
  if (fromOutput.length > 0) return fromOutput;
  for (const action of actions.toReversed()) {
    if (action.success) continue;
    const found = findFailures([action.error ?? "", action.output ?? ""].join("\n"));
    if (found.length > 0) return found;
    const message = (action.error ?? action.output ?? "").trim().split("\n")[0] ?? "";
    if (message !== "") return [{ message: `${action.tool}: ${message}` }];
  }
  return [];
}

/** What the attempt before failed with, in its own words. */
function earlierErrors({ earlier }: AttemptFacts): string[] {
  return earlier?.errors_encountered.map(({ message }) => message) ?? [];
}

const keptErrors = 10;

/** The failures of an attempt as they are kept with it. */
export function errorsOf({ failures }: AttemptFacts): EncounteredError[] {
  return failures.slice(0, keptErrors).map((failure) => ({
    type: failure.test === undefined ? (failure.code ?? "error") : "failing test",
    message: describeFailure(failure),
  }));
}

/** Lines move and numbers change between two sights of the same failure. */
function isSameAs(facts: AttemptFacts, failure: Failure): boolean {
  const gist = (text: string) => text.replace(/\d+/g, "#");
  return earlierErrors(facts).some((error) => gist(error) === gist(describeFailure(failure)));
}

function editedFiles(actions: readonly Action[]): string[] {
  const edits = actions.filter(({ type, tool }) =>
    /^(?:write|edit|multiedit|notebookedit)$/i.test(type ?? tool),
  );
  const paths = edits.map(({ params }) => params.file_path ?? params.path ?? params.file);
  return [...new Set(paths.filter((path) => typeof path === "string"))].slice(0, 5);
}

function lastFailingCommand(actions: readonly Action[]): string | undefined {
  const command = actions.findLast(({ success, params }) => !success && typeof params.command === "string")
    ?.params.command;
  return typeof command === "string" ? `\`${command.split("\n")[0]}\`` : undefined;
}

function sameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

function shortName({ test, code, file, message }: Failure): string {
  return test ?? code ?? file ?? message.slice(0, 40);
}
