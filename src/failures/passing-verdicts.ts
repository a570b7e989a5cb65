/** The summary lines of test runners; `passed` is true if all tests passed. */
const verdicts: { pattern: RegExp; passed: (line: string, next: readonly string[]) => boolean }[] = [
  {
    // vitest counts errors outside of tests on a separate line
    pattern: /^ *Test Files {2}/,
    passed: (line, next) =>
      !line.includes("failed") && !next.slice(0, 2).some((row) => /^ *Errors {2}/.test(row)),
  },
  { pattern: /^Test Suites: /, passed: (line) => !line.includes("failed") },
  {
    pattern: /^(?:=+ )?\d+ (?:passed|failed|error|skipped).* in [\d.]+s/,
    passed: (line) => !/failed|error/.test(line),
  },
  { pattern: /^Ran \d+ tests? in /, passed: (_, next) => next[1]?.startsWith("OK") === true },
  { pattern: /^(?:ok {2}|FAIL)\t/, passed: (line) => line.startsWith("ok") },
  { pattern: /^test result: /, passed: (line) => line.startsWith("test result: ok") },
  {
    pattern: /^ {2}\d+ passing \(/,
    passed: (_, next) => !next.slice(0, 2).some((row) => /^ {2}\d+ failing$/.test(row)),
  },
  { pattern: /^[#ℹ] fail \d+$/, passed: (line, next) => line.endsWith(" 0") && / 0$/.test(next[0] ?? "") },
  { pattern: /BUILD (?:SUCCESS|FAIL)/, passed: (line) => line.includes("SUCCESS") },
];

/** The first line of a script or test run: lines above belong to something else. */
const beginning =
  /^(?:> \S+@\S+ \S+| RUN {2}v\d|=+ test session starts =+$|TAP version \d|running \d+ tests?$)/;

/**
 * For each line of an output, whether it belongs to tests that passed. Passing tests may print errors, such as those
 * they provoke.
 */
export function markPassed(lines: readonly string[]): boolean[] {
  const marks = new Array<boolean>(lines.length).fill(false);
  let start = 0;
  for (const [at, line] of lines.entries()) {
    if (beginning.test(line)) start = at;
    const verdict = verdicts.find(({ pattern }) => pattern.test(line));
    if (verdict === undefined) continue;
    if (verdict.passed(line, lines.slice(at + 1, at + 4))) marks.fill(true, start, at);
    start = at + 1;
  }
  return marks;
}
