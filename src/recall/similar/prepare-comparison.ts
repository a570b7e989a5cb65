import { tellingLength } from "../../search/question.js";
import type { AttemptTrace } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import { unique } from "../../text/unique.js";
import { looseStem } from "../../words/stem.js";
import { workKinds } from "../../words/work-kinds.js";
import { similarTasks as weights } from "../weights.js";
import { errorWords } from "./error-words.js";
import { makeRecord } from "./record-evidence.js";
import type { ComparedObjective, ComparedTask } from "./task-similarity.js";
import { sentencePattern, stemsOf, termPositions, withStems, wordsOfPath } from "./terms.js";

/** What a question says about the work. */
export interface AskedWork {
  objective: string;
  errors?: readonly string[] | undefined;
  files?: readonly string[] | undefined;
}

export function prepareObjective(
  { objective, errors = [], files = [] }: AskedWork,
  kinds: ReadonlyMap<string, number>,
  vectorWeight: number,
): ComparedObjective {
  const met = errors.slice(0, weights.comparedErrors);
  const { firstLine } = weights.position;
  const said = termPositions(objective);
  const inFiles = [telling(files.join(" ")), firstLine] as const;
  return {
    positions: withStems(said, [...met.map((error) => [telling(error), firstLine] as const), inFiles]),
    files,
    named: withStems(said, [inFiles]),
    terms: withStems(said, [
      ...met.map((error) => [errorWords(error), weights.record.error] as const),
      inFiles,
    ]),
    pattern: sentencePattern(objective),
    length: objective.trim().length,
    kinds,
    errors: met.map(errorWords),
    vectorWeight,
  };
}

function telling(text: string): string[] {
  return stemsOf(text.slice(0, tellingLength));
}

/** A finished task, prepared for comparison, and whether it succeeded. */
export interface ComparedCandidate extends ComparedTask {
  task: StoredTask;
  succeeded: boolean;
}

/** The work words are what the task's attempts ran, and why. */
export function prepareTask(
  task: StoredTask,
  traces: readonly AttemptTrace[],
  workWords: string,
): ComparedCandidate {
  const met = traces.flatMap((trace) => trace.errors);
  const errors = unique(met.map(({ type, message }) => `${type} ${message}`));
  const compared = errors.slice(0, weights.comparedErrors);
  const files = unique(traces.toReversed().flatMap((trace) => trace.files));
  const described = termPositions(task.description);
  const stemsOfEach = (texts: readonly string[]) => unique(texts).map((text) => unique(telling(text)));
  return {
    task,
    positions: withStems(
      described,
      compared.map((error) => [telling(error), weights.position.opening] as const),
    ),
    record: makeRecord(described, [
      files.slice(0, weights.record.files).map((file) => unique(wordsOfPath(file.slice(0, tellingLength)))),
      workWords === "" ? [] : [workWords.split(" ").map(looseStem)],
      stemsOfEach(errors),
      stemsOfEach(met.map(({ resolution = "" }) => resolution)),
      stemsOfEach(traces.flatMap(({ outcome }) => outcome?.what_worked ?? [])),
    ]),
    pattern: sentencePattern(task.description),
    kinds: workKinds(task.description, files),
    files,
    errors: compared.map(errorWords),
    succeeded: traces.findLast(({ outcome }) => outcome !== undefined)?.outcome?.status === "success",
  };
}
