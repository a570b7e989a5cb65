import type { Environment } from "../domain/environment.js";
import type { EndedBy } from "../processes/process-limits.js";
import { hasSucceeded, type ProcessOptions, runProcess } from "../processes/run-process.js";
import { outputLines } from "../text/output-lines.js";
import { clipOutput } from "../text/secrets/clip-output.js";

interface VerificationOptions
  extends Pick<ProcessOptions, "stop" | "kill" | "onStart" | "onOutput" | "killGraceMs"> {
  /** The project, where the command runs. */
  folder: string;
  environment: Environment;
  timeoutMs: number;
}

export interface Verification {
  command: string;
  passed: boolean;
  /** Undefined when a signal ended it. */
  exitCode: number | undefined;
  endedBy: EndedBy;
  /** Redacted and clipped. */
  output: string;
  elapsedMs: number;
  /** Only set when the output reports them. */
  counts?: TestCounts;
  /** A program is missing or not executable. */
  cannotRun: boolean;
}

const keptBytes = 512 * 1024;
const cannotRunStatus = [126, 127];

/** Runs the user's command line in a shell; stdout and stderr are merged. */
export async function runVerification(command: string, options: VerificationOptions): Promise<Verification> {
  const result = await runProcess({
    ...options,
    program: "sh",
    args: ["-c", 'exec sh -c "$1" 2>&1', "sh", command],
    keptBytes,
  });
  const counts = readTestCounts(result.output);
  return {
    command,
    passed: hasSucceeded(result),
    exitCode: result.exitCode,
    endedBy: result.endedBy,
    output: clipOutput(result.output.replaceAll("\0", "�")),
    elapsedMs: result.elapsedMs,
    ...(counts !== undefined && { counts }),
    cannotRun: result.endedBy === "exit" && cannotRunStatus.includes(result.exitCode ?? 0),
  };
}

/** From 0 to 1: the share of passed tests when the output reports it, otherwise 0 or 1; the mean of all commands. */
export function qualityOf(verifications: readonly Pick<Verification, "passed" | "counts">[]): number {
  if (verifications.length === 0) return 0;
  return verifications.reduce((sum, each) => sum + qualityOfOne(each), 0) / verifications.length;
}

function qualityOfOne({ passed, counts }: Pick<Verification, "passed" | "counts">): number {
  if (passed) return 1;
  if (counts === undefined) return 0;
  // A command can fail although its tests pass; that counts as one more failed test.
  return counts.passed === counts.total ? counts.passed / (counts.total + 1) : counts.passed / counts.total;
}

/** How many of the executed tests passed; skipped tests are not counted. */
interface TestCounts {
  passed: number;
  total: number;
}

type Lines = readonly string[];
type CountsReader = (lines: Lines) => TestCounts | undefined;

/** The summary lines of test runners. */
const readers: CountsReader[] = [
  // vitest: "      Tests  1 failed | 2 passed | 1 skipped (4)"
  eachLine(/^ +Tests {2}(?=.*\(\d+\)$)(.*)$/, ([, text = ""]) =>
    counts(wordCount(text, "passed"), wordCount(text, "failed")),
  ),
  // jest: "Tests:       1 failed, 1 skipped, 2 passed, 4 total"
  eachLine(/^Tests: +(.*\d+ total)$/, ([, text = ""]) =>
    counts(wordCount(text, "passed"), wordCount(text, "failed")),
  ),
  // mocha: "  2 passing (5ms)", "  1 failing"
  eachLine(/^ {2}(\d+) (passing(?= \()|failing$)/, ([, count, word]) => pass(count, word === "failing")),
  // node --test: "# pass 1", "ℹ fail 2"
  eachLine(/^[#ℹ] (pass|fail|cancelled) (\d+)$/, ([, word, count]) => pass(count, word !== "pass")),
  // pytest: "=== 2 failed, 1 passed, 1 error in 0.02s ==="
  eachLine(
    /^(?:=+ )?(\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)\b.*) in [\d.]+s/,
    ([, text = ""]) =>
      counts(wordCount(text, "passed"), wordCount(text, "failed") + wordCount(text, "errors?")),
  ),
  unittestCounts,
  goCounts,
  // cargo: "test result: FAILED. 1 passed; 1 failed; 0 ignored"
  eachLine(/^test result: \w+\. (\d+) passed; (\d+) failed;/, ([, passed, failed]) => counts(passed, failed)),
  // cargo nextest: "     Summary [   0.1s] 5 tests run: 4 passed, 1 failed, 0 skipped"
  eachLine(/^ +Summary \[.*\] \d+ tests? run: (.*)$/, ([, text = ""]) =>
    counts(wordCount(text, "passed"), wordCount(text, "failed") + wordCount(text, "timed out")),
  ),
  // rspec: "5 examples, 1 failure, 1 pending, 1 error occurred outside of examples"
  eachLine(/^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred)?/, (match) => {
    const [all, failed, pending, errors] = match.slice(1).map((count) => Number(count ?? 0)) as number[];
    return ofTotal((all ?? 0) - (pending ?? 0) + (errors ?? 0), (failed ?? 0) + (errors ?? 0));
  }),
  // minitest and test-unit: "3 runs, 4 assertions, 1 failures, 0 errors, 1 skips"
  eachLine(/^(\d+) (?:runs|tests), \d+ assertions, (\d+ failures, \d+ errors.*)$/, ([, all, text = ""]) =>
    ofTotal(
      Number(all) - wordCount(text, "skips") - wordCount(text, "pendings") - wordCount(text, "omissions"),
      wordCount(text, "failures") + wordCount(text, "errors"),
    ),
  ),
  // maven: "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1"; lines with a time are parts of it
  eachLine(
    /^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/,
    ([, all, failed, errors, skipped]) =>
      ofTotal(Number(all) - Number(skipped), Number(failed) + Number(errors)),
  ),
  // JUnit's console: "[         3 tests successful      ]"
  eachLine(/^\[ +(\d+) tests (successful|failed) +\]$/, ([, count, word]) => pass(count, word === "failed")),
  // gradle, for a failed run: "5 tests completed, 1 failed, 1 skipped"
  eachLine(/^(\d+) tests? completed, (.*failed.*)$/, ([, all, text = ""]) =>
    ofTotal(Number(all) - wordCount(text, "skipped"), wordCount(text, "failed")),
  ),
  // dotnet: "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 5 ms"
  eachLine(/^(?:Passed|Failed)! +- Failed: +(\d+), Passed: +(\d+),/, ([, failed, passed]) =>
    counts(passed, failed),
  ),
  // phpunit: "OK (5 tests, 9 assertions)", "Tests: 5, Assertions: 9, Failures: 1."
  eachLine(/^OK \((\d+) tests?, \d+ assertions?\)$/, ([, all]) => counts(all, 0)),
  eachLine(/^Tests: (\d+), Assertions: \d+(.*)\.$/, ([, all, text = ""]) =>
    ofTotal(Number(all) - labelled(text, "Skipped"), labelled(text, "Failures") + labelled(text, "Errors")),
  ),
  // bun: " 3 pass", " 1 fail"
  eachLine(/^ (\d+) (pass|fail)$/, ([, count, word]) => pass(count, word === "fail")),
  // playwright: "  1 failed", "  3 passed (2.1s)"
  eachLine(/^ {2}(\d+) (failed|passed \([\d.]+m?s\)|flaky)$/, ([, count, word]) =>
    pass(count, word === "failed"),
  ),
];

/** The test counts in an output, summed over several runs; undefined when it has none. */
export function readTestCounts(output: string): TestCounts | undefined {
  const lines = outputLines(output).map((line) => line.trimEnd());
  const found = readers.flatMap((read) => read(lines) ?? []);
  const all = found.length > 0 ? found : [tapCounts(lines) ?? { passed: 0, total: 0 }];
  const sum = all.reduce(add);
  return sum.total === 0 ? undefined : sum;
}

/** Python's unittest: "Ran 4 tests in 0.001s", then "OK (skipped=1)" or "FAILED (failures=2, errors=1)". */
function unittestCounts(lines: Lines): TestCounts | undefined {
  const found = lines.flatMap((line, at) => {
    const ran = /^Ran (\d+) tests? in /.exec(line)?.[1];
    const verdict = lines.slice(at + 1, at + 4).find((next) => /^(?:OK|FAILED)\b/.test(next));
    if (ran === undefined || verdict === undefined) return [];
    const figure = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(verdict)?.[1] ?? 0);
    return [ofTotal(Number(ran) - figure("skipped"), figure("failures") + figure("errors"))];
  });
  return found.length === 0 ? undefined : found.reduce(add);
}

/** go test lists single tests only when verbose, otherwise packages. */
function goCounts(lines: Lines): TestCounts | undefined {
  const tests = eachLine(/^--- (PASS|FAIL): /, ([, word]) => pass(1, word === "FAIL"))(lines);
  const packages = eachLine(/^(ok {2}|FAIL)\t\S/, ([, word]) => pass(1, word === "FAIL"))(lines);
  const isVerbose = lines.some((line) => line.startsWith("--- PASS: "));
  return packages === undefined || isVerbose ? packages && tests : packages;
}

/** Any other program that prints TAP: "ok 1 - adds", "not ok 2 - removes". */
function tapCounts(lines: Lines): TestCounts | undefined {
  if (!lines.some((line) => /^(?:TAP version \d+|1\.\.\d+)/.test(line))) return undefined;
  return eachLine(/^(ok|not ok)\b(?!.*# (?:skip|todo))/i, ([, word]) => pass(1, word !== "ok"))(lines);
}

function eachLine(pattern: RegExp, read: (match: RegExpExecArray) => TestCounts): CountsReader {
  return (lines) => {
    const found = lines.flatMap((line) => {
      const match = pattern.exec(line);
      return match === null ? [] : [read(match)];
    });
    return found.length === 0 ? undefined : found.reduce(add);
  };
}

function counts(passed: string | number | undefined, failed: string | number | undefined): TestCounts {
  return { passed: Number(passed ?? 0), total: Number(passed ?? 0) + Number(failed ?? 0) };
}

function pass(count: string | number | undefined, isFailure: boolean): TestCounts {
  return isFailure ? counts(0, count) : counts(count, 0);
}

function ofTotal(total: number, failed: number): TestCounts {
  return { passed: Math.max(0, total - failed), total: Math.max(0, total) };
}

/** The number before a word, such as 3 in "3 passed". */
function wordCount(text: string, word: string): number {
  return Number(new RegExp(`(\\d+) ${word}\\b`).exec(text)?.[1] ?? 0);
}

/** The number after a label, such as 3 in "Failures: 3". */
function labelled(text: string, label: string): number {
  return Number(new RegExp(`\\b${label}: (\\d+)`).exec(text)?.[1] ?? 0);
}

function add(left: TestCounts, right: TestCounts): TestCounts {
  return { passed: left.passed + right.passed, total: left.total + right.total };
}
