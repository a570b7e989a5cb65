import { outputLines } from "../text/output-lines.js";
import { withoutAgentTrouble } from "./agent-trouble.js";
import { isConsequence, isTelling } from "./bare-verdicts.js";
import type { Failure } from "./failure.js";
import type { FailureReader, FoundFailure } from "./failure-reader.js";
import { guessFailures } from "./guess-failures.js";
import { isLogRecord, withoutLogNoise } from "./log-noise.js";
import { withoutLogPrefixes } from "./log-prefixes.js";
import { markPassed } from "./passing-verdicts.js";
import { browserTestReaders } from "./readers/browser-tests.js";
import { bundlerReaders } from "./readers/bundlers.js";
import { checkerReaders } from "./readers/checkers.js";
import { compiledTestReaders } from "./readers/compiled-tests.js";
import { compilerReaders } from "./readers/compilers.js";
import { databaseReaders } from "./readers/databases.js";
import { dotnetReaders } from "./readers/dotnet.js";
import { infrastructureReaders } from "./readers/infrastructure.js";
import { javascriptTestReaders } from "./readers/javascript-tests.js";
import { linterReaders } from "./readers/linters.js";
import { packageReaders } from "./readers/packages.js";
import { pythonTestReaders } from "./readers/python-tests.js";
import { scriptTestReaders } from "./readers/script-tests.js";
import { shellReaders, summaryReaders } from "./readers/shells.js";
import { traceReaders } from "./readers/traces.js";

const maxFailures = 50;

const testReaders = [
  ...javascriptTestReaders,
  ...browserTestReaders,
  ...pythonTestReaders,
  ...scriptTestReaders,
  ...compiledTestReaders,
];
const sourceReaders = [
  ...compilerReaders,
  ...dotnetReaders,
  ...linterReaders,
  ...checkerReaders,
  ...bundlerReaders,
];
const programReaders = [
  ...traceReaders,
  ...databaseReaders,
  ...packageReaders,
  ...infrastructureReaders,
  ...shellReaders,
];

/** The failures in a tool's output, in order; empty when none is recognised. */
export function findFailures(output: string): Failure[] {
  return findIn(withoutLogNoise(linesOf(output)));
}

/** The same of a program that failed: where no reader knows its output, the line that most likely says why. */
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
  // A stack trace may be part of a failing test, and a summary line of either: less specific readers come later.
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

/** "An exception was raised:" is followed by what it was. */
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

/** Some tools report each failure twice, and a line may be known to more than one reader. */
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

/** A reader that knows the test or the tool knows more than one that knows the shape of the line. */
function rankOf({ test, tool }: Failure): number {
  return (test === undefined ? 0 : 2) + (tool === undefined ? 0 : 1);
}
