import type { AttemptTrace } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import { unique } from "../../text/unique.js";
import { workKinds } from "../../words/work-kinds.js";
import { similarTasks as weights } from "../weights.js";
import { errorWords, withoutValues } from "./error-words.js";
import { frameOf } from "./objective-frame.js";
import type { ComparedObjective, ComparedTask } from "./task-similarity.js";
import { termPositions, withTerms } from "./term-positions.js";

/** What a question says about the work. */
export interface AskedWork {
  objective: string;
  errors?: readonly string[] | undefined;
  files?: readonly string[] | undefined;
}

export function prepareObjective(
  { objective, errors = [], files = [] }: AskedWork,
  vectorWeight: number,
): ComparedObjective {
  const met = errors.slice(0, weights.comparedErrors);
  const { firstLine } = weights.position;
  const said = termPositions(objective, [], firstLine);
  return {
    positions: termPositions(objective, [...met, files.join(" ")], firstLine),
    files,
    named: withTerms(said, [[files.join(" "), firstLine]]),
    terms: withTerms(
      said,
      met.map((error) => [withoutValues(error), weights.record.said] as const),
    ),
    frame: frameOf(objective),
    kinds: workKinds(objective, files),
    errors: met.map(errorWords),
    vectorWeight,
  };
}

/** A finished task, prepared for comparison, and whether it succeeded. */
export interface ComparedCandidate extends ComparedTask {
  task: StoredTask;
  succeeded: boolean;
}

export function prepareTask(task: StoredTask, traces: readonly AttemptTrace[]): ComparedCandidate {
  const errors = unique(
    traces.flatMap((trace) => trace.errors.map(({ type, message }) => `${type} ${message}`)),
  ).slice(0, weights.comparedErrors);
  const files = unique(traces.toReversed().flatMap((trace) => trace.files));
  const positions = termPositions(task.description, errors, weights.position.opening);
  return {
    task,
    positions,
    record: withTerms(positions, [
      ...files.slice(0, weights.comparedFiles).map((file) => [file, weights.record.file] as const),
      ...saidIn(traces).map((text) => [text, weights.record.said] as const),
    ]),
    frame: frameOf(task.description),
    kinds: workKinds(task.description, files),
    files,
    errors: errors.map(errorWords),
    succeeded: traces.findLast(({ outcome }) => outcome !== undefined)?.outcome?.status === "success",
  };
}

/** What went wrong, what solved it, and what worked. */
function saidIn(traces: readonly AttemptTrace[]): string[] {
  return unique(
    traces.flatMap(({ errors, outcome }) => [
      ...errors.flatMap(({ type, message, resolution = "" }) => [`${type} ${message}`, resolution]),
      ...(outcome?.what_worked ?? []),
    ]),
  );
}
