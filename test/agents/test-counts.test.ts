import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { qualityOf, readTestCounts } from "../../src/agents/run-verification.js";

const output = (name: string) =>
  readFileSync(join(import.meta.dirname, "../fixtures/tool-output", `${name}.txt`), "utf8");

describe("the counts of a test run", () => {
  it.each([
    ["vitest", 1, 2],
    ["vitest-passing", 1, 1],
    ["vitest-colours", 2, 7],
    ["jest", 1, 2],
    ["jest-passing", 1, 1],
    ["mocha", 1, 6],
    ["mocha-passing", 1, 1],
    ["node-test", 1, 5],
    ["node-test-spec", 1, 5],
    ["node-test-tap-passing", 1, 1],
    ["pytest", 1, 3],
    ["pytest-passing", 1, 1],
    ["pytest-no-summary", 2, 6],
    ["pytest-collection", 0, 2],
    ["unittest", 1, 4],
    ["unittest-passing", 1, 1],
    ["go-test-verbose", 1, 3],
    ["go-test-passing", 1, 1],
    ["cargo-test", 1, 2],
    ["cargo-test-passing", 2, 2],
    ["maven-test", 1, 4],
    ["maven-passing", 4, 4],
    ["gradle-test", 1, 4],
  ])("are read from %s", (name, passed, total) => {
    expect(readTestCounts(output(name))).toEqual({ passed, total });
  });

  it.each([
    [
      "ok  \texample.com/a\t0.1s\nFAIL\texample.com/b [build failed]\n?   \texample.com/c\t[no test files]",
      1,
      2,
    ],
    ["3 examples, 1 failure, 1 pending", 1, 2],
    ["1 example, 0 failures", 1, 1],
    ["0 examples, 0 failures, 2 errors occurred outside of examples", 0, 2],
    ["3 runs, 4 assertions, 1 failures, 0 errors, 1 skips", 1, 2],
    ["3 tests, 4 assertions, 1 failures, 1 errors, 0 pendings, 0 omissions, 0 notifications", 1, 3],
    [
      "Failed!  - Failed:     1, Passed:     2, Skipped:     4, Total:     7, Duration: 51 ms - a.dll (net8.0)",
      2,
      3,
    ],
    ["Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 9 ms - a.dll", 5, 5],
    ["[         3 tests successful      ]\n[         1 tests failed          ]", 3, 4],
    ["OK (5 tests, 9 assertions)", 5, 5],
    ["FAILURES!\nTests: 5, Assertions: 9, Failures: 1, Skipped: 1.", 3, 4],
    ["     Summary [   0.012s] 5 tests run: 4 passed, 1 failed, 2 skipped", 4, 5],
    [" 3 pass\n 1 fail\n 9 expect() calls\nRan 4 tests across 2 files. [12.00ms]", 3, 4],
    ["  1 failed\n    a.spec.ts:3:1 › adds\n  3 passed (2.1s)", 3, 4],
    ["1..3\nok 1 - adds\nnot ok 2 - removes\nok 3 # skip no database", 1, 2],
  ])("are read from %j", (text, passed, total) => {
    expect(readTestCounts(text)).toEqual({ passed, total });
  });

  it("are added up over several runs", () => {
    expect(readTestCounts(`${output("vitest")}\n${output("pytest")}`)).toEqual({ passed: 2, total: 5 });
  });

  it.each(["tsc", "eslint", "biome", "gcc", "words-passing", "npm-e404", "docker-build"])(
    "are not made up from %s",
    (name) => {
      expect(readTestCounts(output(name))).toBeUndefined();
    },
  );

  it("give a quality: the share that passed, else 0 or 1", () => {
    expect(qualityOf([{ passed: false, counts: { passed: 1, total: 4 } }])).toBe(0.25);
    expect(qualityOf([{ passed: true, counts: { passed: 1, total: 4 } }])).toBe(1);
    expect(qualityOf([{ passed: false, counts: { passed: 3, total: 3 } }])).toBe(0.75);
    expect(qualityOf([{ passed: false }])).toBe(0);
    expect(qualityOf([{ passed: true }, { passed: false }])).toBe(0.5);
    expect(qualityOf([])).toBe(0);
  });
});
