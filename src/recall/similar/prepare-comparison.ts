import { tellingLength } from "../../search/question.js";
import type { AttemptTrace } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import { unique } from "../../text/unique.js";
import { looseStem } from "../../words/stem.js";
import { workKinds } from "../../words/work-kinds.js";
import { similarTasks as weights } from "../weights.js";
import { errorTerms, errorWords } from "./error-words.js";
import { frameOf } from "./objective-frame.js";
import { emptyRecord, makeRecord, type TaskRecord } from "./record-evidence.js";
import type { ComparedObjective, ComparedTask, WhatCounts } from "./task-similarity.js";
import { stemsOf, type TermPositions, termPositions, withStems, wordsOfPath } from "./terms.js";

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
      ...met.map((error) => [errorTerms(error), weights.record.error] as const),
      inFiles,
    ]),
    length: objective.trim().length,
    frame: frameOf(objective),
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

/** What of a task is compared; the rest is left empty. */
export interface ComparedParts extends WhatCounts {
  errors: boolean;
}

/** The work words are what the task's attempts ran, and why. */
export function prepareTask(
  task: StoredTask,
  traces: readonly AttemptTrace[],
  workWords: string,
  compared: ComparedParts,
): ComparedCandidate {
  const errors = unique(
    traces.flatMap((trace) => trace.errors.map(({ type, message }) => `${type} ${message}`)),
  ).slice(0, weights.comparedErrors);
  const files = unique(traces.toReversed().flatMap((trace) => trace.files));
  const said = termPositions(task.description);
  const stems = onceEach(stemsOf);
  const met = errors.map(
    (error) => [stems(error.slice(0, tellingLength)), weights.position.opening] as const,
  );
  return {
    task,
    positions: met.length === 0 ? said : withStems(said, met),
    record: compared.family
      ? recordOf(said, { files: files.slice(0, weights.record.files), traces, workWords, stems })
      : emptyRecord,
    frame: compared.family || compared.sentence ? frameOf(task.description) : [],
    kinds: compared.family ? workKinds(task.description, files) : new Map(),
    files,
    errors: compared.errors ? errors.map(errorWords) : [],
    succeeded: traces.findLast(({ outcome }) => outcome !== undefined)?.outcome?.status === "success",
  };
}

/** A task's record has the same errors as the task. */
function onceEach(stems: StemsOf): StemsOf {
  const known = new Map<string, readonly string[]>();
  return (text) => {
    const found = known.get(text) ?? stems(text);
    known.set(text, found);
    return found;
  };
}

type StemsOf = (text: string) => readonly string[];

interface KnownWork {
  files: readonly string[];
  traces: readonly AttemptTrace[];
  workWords: string;
  stems: StemsOf;
}

function recordOf(said: TermPositions, { files, traces, workWords, stems }: KnownWork): TaskRecord {
  const met = traces.flatMap(({ errors }) => errors);
  const eachOf = (texts: readonly string[], stemsIn: StemsOf) =>
    unique(texts).map((text) => unique(stemsIn(text.slice(0, tellingLength))));
  return makeRecord(said, [
    eachOf(files, wordsOfPath),
    workWords === "" ? [] : [workWords.split(" ").map(looseStem)],
    eachOf(
      met.map(({ type, message }) => `${type} ${message}`),
      stems,
    ),
    eachOf(
      met.map(({ resolution = "" }) => resolution),
      stems,
    ),
    eachOf(
      traces.flatMap(({ outcome }) => outcome?.what_worked ?? []),
      stems,
    ),
  ]);
}
