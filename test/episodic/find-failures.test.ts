import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFailures } from "../../src/episodic/find-failures.js";

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, "../fixtures/tool-output", `${name}.txt`), "utf8");

/** Outputs of the real tools, and the first thing that each of them says is wrong. */
describe("failures in a tool's output", () => {
  it.each([
    ["vitest", { test: "sum > adds two numbers", file: "sum.test.ts", line: 2 }],
    ["jest", { test: "cart › applies a discount", file: "test/cart.test.js", line: 4 }],
    ["node-test", { test: "formats a price", file: "/project/nodetest/price.test.mjs", line: 2 }],
    [
      "pytest",
      { test: "test_total", file: "test_cart.py", line: 3, message: "AssertionError: assert 1 == 2" },
    ],
    ["tsc", { code: "TS2322", file: "bad.ts", line: 2 }],
    ["eslint", { code: "no-unused-vars", file: "/project/src/cart.js", line: 2 }],
    ["biome", { code: "lint/correctness/noUnusedVariables", file: "src/cart.js", line: 2 }],
    ["gcc", { file: "main.c", line: 2, message: expect.stringContaining("‘conut’ undeclared") }],
    ["cargo-build", { code: "E0425", file: "src/main.rs", line: 1 }],
    ["cargo-test", { test: "tests::adds", file: "src/main.rs", line: 2 }],
    ["javac", { file: "Main.java", line: 1, message: expect.stringContaining("incompatible types") }],
    ["command-not-found", { message: "kubectll: not found" }],
    ["npm-missing-script", { message: 'Missing script: "build"' }],
    ["node-stack", { code: "TypeError", message: expect.stringContaining("reading 'name'") }],
    ["node-module", { code: "Error", message: "Cannot find module 'left-pad-not-here'" }],
  ])("of %s begin with the first real one", (name, expected) => {
    expect(findFailures(fixture(name))[0]).toMatchObject(expected);
  });

  it("are all found, in order", () => {
    expect(findFailures(fixture("pytest")).map(({ test }) => test)).toEqual([
      "test_total",
      "test_missing_key",
    ]);
    expect(findFailures(fixture("gcc"))).toHaveLength(2);
  });

  it("are none in the output of a tool that is content", () => {
    expect(findFailures("Tests: 12 passed, 12 total\nDone in 3 s.\n")).toEqual([]);
  });
});
