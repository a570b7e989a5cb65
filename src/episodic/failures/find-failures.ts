import { outputLines } from "../../text/output-lines.js";
import type { Failure } from "./failure.js";
import { markPassed } from "./passing-verdicts.js";
import { compiledTestReaders } from "./readers/compiled-tests.js";
import { compilerReaders } from "./readers/compilers.js";
import { javascriptTestReaders } from "./readers/javascript-tests.js";
import { linterReaders } from "./readers/linters.js";
import { pythonTestReaders } from "./readers/python-tests.js";
import { closingReaders, shellReaders } from "./readers/shells.js";
import { traceReaders } from "./readers/traces.js";
import type { FailureReader, Sighting } from "./sighting.js";

const maxFailures = 50;

const testReaders = [...javascriptTestReaders, ...pythonTestReaders, ...compiledTestReaders];
const sourceReaders = [...compilerReaders, ...linterReaders];

/** The failures in a tool's output, as they come; empty when none is recognised. */
export function findFailures(output: string): Failure[] {
  const lines = outputLines(output);
  const passed = markPassed(lines);
  const read = (readers: readonly FailureReader[]) => readers.flatMap((reader) => reader(lines));
  const unlessPassed = (found: Sighting[]) => found.filter(({ at }) => !passed[at]);
  // A stack may be part of a failing test, and a closing line sums up either: what says less comes later.
  const ranks = [
    () => [...unlessPassed(read(testReaders)), ...read(sourceReaders)],
    () => unlessPassed(read([...traceReaders, ...shellReaders])),
    () => unlessPassed(read(closingReaders)),
  ];
  for (const rank of ranks) {
    const found = rank().filter(({ failure }) => says(failure));
    if (found.length > 0) return inOrder(found).slice(0, maxFailures);
  }
  return [];
}

/** A count of errors, such as "error: 0", says nothing. */
function says({ test, code, file, message }: Failure): boolean {
  return test !== undefined || code !== undefined || file !== undefined || /\p{L}/u.test(message);
}

/** Some tools say each failure twice. */
function inOrder(found: Sighting[]): Failure[] {
  const unique = new Map<string, Failure>();
  for (const { failure } of found.toSorted((one, other) => one.at - other.at)) {
    const key = JSON.stringify([failure.test, failure.file, failure.line, failure.message]);
    if (!unique.has(key)) unique.set(key, failure);
  }
  return [...unique.values()];
}
