import type { Action } from "../domain/tasks/action.js";
import { outputLines } from "../text/output-lines.js";
import { isBareVerdict, isConsequence, isTelling } from "./bare-verdicts.js";
import type { Failure } from "./failure.js";
import type { FailureReader, FoundFailure } from "./failure-reader.js";
import { guessFailures } from "./guess-failures.js";
import { isLogRecord, markPassed, withoutLogNoise, withoutLogPrefixes } from "./log-lines.js";
import { buildReaders, machineReaders, readGradle } from "./readers/builds.js";
import { compiledTestReaders, compiledTraceReaders } from "./readers/compiled.js";
import { javascriptTestReaders, readNode } from "./readers/javascript.js";
import { checkerLines, programLines, summaryLines, testLines } from "./readers/one-line.js";
import { pythonTestReaders, readPython } from "./readers/python.js";
import { checkerBlocks, programBlocks, testBlocks } from "./readers/several-lines.js";

const maxFailures = 50;

const testReaders = [
  ...javascriptTestReaders,
  ...pythonTestReaders,
  ...compiledTestReaders,
  ...testBlocks,
  ...testLines,
];
const sourceReaders = [...checkerLines, ...checkerBlocks, ...buildReaders];
const programReaders = [
  readNode,
  readPython,
  ...compiledTraceReaders,
  ...programBlocks,
  ...machineReaders,
  ...programLines,
];
const summaryReaders = [...summaryLines, readGradle];

/** The failures in a tool's output, in order; empty when none is recognised. */
export function findFailures(output: string): Failure[] {
  return findIn(withoutLogNoise(linesOf(output)));
}

/** Like `findFailures`, for a program that failed: if no reader recognises the output, returns the line that most likely says why. */
export function readFailedOutput(output: string): Failure[] {
  const log = linesOf(output);
  const lines = withoutLogNoise(log);
  const found = findIn(lines);
  if (found.some(isTelling)) return found;
  const passed = markPassed(lines);
  const guessed = guessFailures(
    lines.filter((_, at) => !passed[at]),
    log.filter(isLogRecord),
  );
  return guessed.length > 0 ? guessed : found.map((failure) => ({ ...failure, isGuess: true }));
}

function linesOf(output: string): string[] {
  return withoutLogPrefixes(outputLines(withoutAgentTrouble(output)));
}

function findIn(lines: readonly string[]): Failure[] {
  const passed = markPassed(lines);
  const read = (readers: readonly FailureReader[]) => readers.flatMap((reader) => reader(lines));
  const unlessPassed = (found: FoundFailure[]) => found.filter(({ at }) => !passed[at]);
  // A stack trace may be part of a failing test, and a summary line part of either: less specific readers come later.
  const ranks = [
    () => [...unlessPassed(read(testReaders)), ...read(sourceReaders)],
    () => unlessPassed(read(programReaders)),
    () => unlessPassed(read(summaryReaders)),
  ];
  let bare: FoundFailure[] = [];
  for (const rank of ranks) {
    const found = rank()
      .map((each) => withNextLine(each, lines))
      .filter(({ failure }) => isInformative(failure));
    const telling = found.filter(({ failure }) => isTelling(failure));
    const causes = telling.filter(({ failure }) => !isConsequence(failure.message));
    if (telling.length > 0) return uniqueInOrder(causes.length > 0 ? causes : telling).slice(0, maxFailures);
    if (bare.length === 0) bare = found;
  }
  return uniqueInOrder(bare).slice(0, maxFailures);
}

/** "An exception was raised:" is followed by the exception. */
function withNextLine(found: FoundFailure, lines: readonly string[]): FoundFailure {
  const { at, failure } = found;
  if (!failure.message.endsWith(":")) return found;
  const start = lines.slice(at, at + readBelow).findIndex((line) => line.trimEnd().endsWith(failure.message));
  if (start < 0) return found;
  const next = lines.slice(at + start + 1, at + start + 3).find((line) => /\p{L}/u.test(line));
  if (next === undefined) return found;
  const cause = next
    .trim()
    .replace(/^(?:[-*•]|\*\*) /, "")
    .slice(0, maxCause);
  return { at, failure: { ...failure, message: `${failure.message} ${cause}` } };
}

const readBelow = 10;
const maxCause = 200;

/** A mere count such as "error: 0" is not informative. */
function isInformative({ test, code, file, message }: Failure): boolean {
  return test !== undefined || code !== undefined || file !== undefined || /\p{L}/u.test(message);
}

/** Some tools report a failure twice, and several readers may recognise a line. */
function uniqueInOrder(found: FoundFailure[]): Failure[] {
  const lines = new Map<number, Failure>();
  for (const { at, failure } of found) {
    const known = lines.get(at);
    if (known === undefined || rankOf(failure) > rankOf(known)) lines.set(at, failure);
  }
  const unique = new Map<string, Failure>();
  for (const [, failure] of [...lines].toSorted(([one], [other]) => one - other)) {
    const key = JSON.stringify([failure.test, failure.file, failure.line, failure.message]);
    if (!unique.has(key)) unique.set(key, failure);
  }
  return [...unique.values()];
}

/** A reader that knows the test or the tool beats one that only knows the shape of the line. */
function rankOf({ test, tool }: Failure): number {
  return (test === undefined ? 0 : 2) + (tool === undefined ? 0 : 1);
}

/** What `ralph run` prints before the output of the checks if the agent itself broke down: how it ended, and its last output. */
const trouble =
  /^the agent(?:'s output was cut off| (?:exited|timed out|was killed|was stopped|reported an error)\b)[\s\S]*?(?=\n\n\$ |(?![\s\S]))/;

/** Claude Code's answer to a call that is not permitted. */
const denial =
  /^(?:Claude requested permissions to .+ but you haven't granted it yet|This command requires approval|Permission to use .+ has been denied).*$/gm;

/** Drops the agent's own trouble: an outage, an expired login or a missing permission says nothing about the project. */
function withoutAgentTrouble(output: string): string {
  return output.replace(trouble, "").replace(denial, "");
}

/** The failures that a failed action reports. */
export type ReadAction = (action: Action) => readonly Failure[];

/** The failures in the output; if it names none, those of the last failed action that does. */
export function failuresOf(
  fromOutput: readonly Failure[],
  actions: readonly Action[],
  readAction: ReadAction = readFailedAction,
): readonly Failure[] {
  if (fromOutput.some(isTelling)) return fromOutput;
  for (const action of actions.toReversed()) {
    const found = action.success ? [] : readAction(action);
    if (found.some(isTelling)) return found;
  }
  return fromOutput;
}

/** Parses the output of the action; a one-line error is the message if nothing else is more specific. */
export function readFailedAction({ error = "", output = "" }: Action): readonly Failure[] {
  const found = readFailedOutput(`${error}\n${output}`);
  const message = withoutAgentTrouble(error).trim();
  if (found.length > 0 || message === "" || message.includes("\n") || isBareVerdict(message)) return found;
  return [{ message: message.slice(0, maxMessage), isGuess: true }];
}

/** Parses each action at most once, and only when it is asked for. */
export function readActionsOnce(readAction: ReadAction = readFailedAction): ReadAction {
  const known = new Map<Action, readonly Failure[]>();
  return (action) => {
    const failures = known.get(action) ?? readAction(action);
    known.set(action, failures);
    return failures;
  };
}

const maxMessage = 200;
