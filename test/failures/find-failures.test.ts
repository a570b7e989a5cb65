import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFailures, readFailedOutput } from "../../src/failures/find-failures.js";
import { clipOutput } from "../../src/text/secrets/clip-output.js";
import { growsLinearly } from "../support/grows-linearly.js";
import { firstFailures } from "./first-failures.js";

const folder = join(import.meta.dirname, "../fixtures/tool-output");
const fixture = (name: string) => readFileSync(join(folder, `${name}.txt`), "utf8");

const names = readdirSync(folder).map((name) => name.replace(/\.txt$/, ""));
const contentNames = names.filter(
  (name) => /-(?:passing|warnings(?:-only)?)$/.test(name) && !(name in firstFailures),
);

describe("failures in a tool's output", () => {
  it.each(Object.entries(firstFailures))("of %s begin with the first real one", (name, expected) => {
    expect(findFailures(fixture(name))[0]).toMatchObject(expected);
  });

  it.each(contentNames)("are none in %s, whatever words it prints", (name) => {
    expect(findFailures(fixture(name))).toEqual([]);
  });

  it("are known for every output that is kept here", () => {
    expect([...Object.keys(firstFailures), ...contentNames].toSorted()).toEqual(names.toSorted());
  });

  it.each([
    ["pytest", ["test_total", "test_missing_key"]],
    ["pytest-line", ["test_saved", "TestCart::test_total", "TestCart::test_amounts[2]", "test_load"]],
    ["go-test", ["TestTotal", "TestTable/full_cart"]],
    ["cargo-test-many", ["tests::reads", "tests::adds", "tests::refuses", "tests::unwraps"]],
    ["rspec", ["adds prices", "finds its items", "with a server loads"].map((name) => `Cart ${name}`)],
    ["playwright", ["adds prices", "opens the page", "loads", "is slow"].map((name) => `cart > ${name}`)],
    ["mocha", ["adds prices", "throws", "waits", "when empty > compares"].map((name) => `cart > ${name}`)],
    ["node-test-spec", ["cart > adds prices", "cart > loads", "cart > waits", "top level"]],
    ["unittest", ["test_error", "test_sub (n=2)", "test_total"].map((name) => `test_unit.CartTest.${name}`)],
  ])("of %s are all found, in order", (name, tests) => {
    const found = findFailures(fixture(name)).map(({ test }) => test);
    expect(found.slice(0, tests.length)).toEqual(tests);
  });

  it("of gcc leave out its warnings and notes", () => {
    expect(findFailures(fixture("gcc"))).toHaveLength(2);
  });

  it.each([
    [
      "vitest-causes",
      [
        "Error: connect ECONNREFUSED 127.0.0.1:1",
        "Error: cannot load the cart (Error: connect ECONNREFUSED 127.0.0.1:1)",
        "Error: connect ECONNREFUSED ::1:5433",
        "Error: connect ECONNREFUSED 127.0.0.1:5433",
      ],
    ],
    [
      "jest-causes",
      [
        "connect ECONNREFUSED 127.0.0.1:1",
        "connect ECONNREFUSED 127.0.0.1:1",
        "cannot load the cart (connect ECONNREFUSED 127.0.0.1:1)",
        "AggregateError: connect ECONNREFUSED ::1:5433",
      ],
    ],
  ])("of %s have the error below them", (name, messages) => {
    expect(findFailures(fixture(name)).map(({ message }) => message)).toEqual(messages);
  });

  it("are said once, even where the tool repeats them", () => {
    expect(findFailures(fixture("maven-compile"))).toHaveLength(1);
    expect(findFailures(`${fixture("jest")}\nSummary of all failing tests\n${fixture("jest")}`)).toHaveLength(
      1,
    );
  });

  it("come in the order of the commands that were run", () => {
    const output = [fixture("eslint"), fixture("vitest-passing"), fixture("cargo-test"), fixture("tsc")].join(
      "\n",
    );
    expect(findFailures(output).map(({ test, code }) => test ?? code)).toEqual([
      "no-unused-vars",
      "tests::adds",
      "TS2322",
      "TS2339",
    ]);
  });

  it("above tests that passed still count", () => {
    const output = `${fixture("npm-script-not-found")}\n${fixture("vitest-passing")}`;
    expect(findFailures(output)).toEqual([{ message: "eslintt: not found" }]);
  });

  it("behind tests that passed still count", () => {
    const output = `${fixture("vitest-passing")}\n${fixture("node-lib")}`;
    expect(findFailures(output)).toMatchObject([{ code: "RangeError", line: 3 }]);
  });

  it.each(["gcc", "jest-many", "vitest-colours", "python-chained", "maven-test"])(
    "of %s are the same with the line ends of Windows",
    (name) => {
      const text = fixture(name);
      expect(findFailures(text.replaceAll("\n", "\r\n"))).toEqual(findFailures(text));
    },
  );

  it("of a clipped output do not borrow a place from behind the gap", () => {
    const text = `${fixture("vitest-many")}${"passing noise\n".repeat(8000)}${fixture("node-lib")}`;
    const clipped = clipOutput(text);
    expect(clipped.length).toBeLessThan(text.length);
    expect(findFailures(clipped)[0]).toMatchObject({ test: "hooked", line: 22 });
    const [cut] = findFailures(
      " FAIL  a.test.ts > adds\n[… 9 of 99 characters left out …]\n ❯ b.test.ts:7:1\n",
    );
    expect(cut).toEqual({ tool: "vitest", test: "adds", file: "a.test.ts", message: "failed" });
  });

  it("of a run that was cut before its summary are at least named", () => {
    expect(findFailures(" ❯ a.test.ts (2 tests | 1 failed) 10ms\n     × adds two numbers 8ms\n")).toEqual([
      { test: "adds two numbers", message: "failed" },
    ]);
  });

  it("of one cause are told for each of its tests", () => {
    const output = " FAIL  a.test.ts > one\n FAIL  a.test.ts > two\nError: no port\n ❯ setup.ts:3:1\n";
    expect(findFailures(output)).toEqual(
      ["one", "two"].map((test) => ({
        tool: "vitest",
        test,
        file: "setup.ts",
        line: 3,
        message: "Error: no port",
      })),
    );
  });

  it("are looked for in any mixture of lines without an accident", () => {
    const lines = names.flatMap((name) => fixture(name).split("\n"));
    const line = fc
      .tuple(fc.nat(9), fc.constantFrom(...lines))
      .map(([indent, text]) => " ".repeat(indent) + text);
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...lines), line), { maxLength: 60 }), (mixed) => {
        for (const { message } of findFailures(mixed.join("\n"))) expect(message).not.toBe("");
      }),
      { numRuns: 300 },
    );
  });

  it("include a command that an agent stopped for its time", () => {
    expect(findFailures("Command timed out after 2m 0.0s")).toHaveLength(1);
    expect(findFailures("Error: The command timed out")).toHaveLength(1);
  });

  it("are none in the output of a tool that is content", () => {
    expect(findFailures("Tests: 12 passed, 12 total\nDone in 3 s.\n")).toEqual([]);
  });
});

describe("the time to find failures", () => {
  const repeated = (unit: string, length: number) => {
    // lines of a usual length, so that their number grows with the text
    const part = unit.length > 1 && unit.endsWith("\n") ? `${unit}${"a".repeat(60)}\n` : unit;
    return part.repeat(Math.ceil(length / part.length));
  };

  it.each([
    "a",
    " ",
    "1",
    "\r",
    "\n",
    "a:1:1 ",
    "(a ",
    "_ ",
    "\u001b[1",
    "    at x (y:1:1)\n",
    "Error: a\n    at x (y:1:1)\n",
    " FAIL  a.ts > b\n",
    "FAIL a.js\n  ● a › b\n",
    "FAILED a.py::b - c\n",
    '  File "a", line 1\n',
    "a.js\n  1:1  error  a   b\n",
    "test at a:1:1\n✖ a (1ms)\n",
    "--- FAIL: TestA (0.00s)\n    a.go:1: b\n",
    "ok  \ta\n",
    "#12 1.0 a\n",
    "web-1  | a\n",
    "a\tb\t",
    "│ Error: a\n│ b\n",
    "  1) a.ts:1:1 › b\n    Error: a\n",
    "Because a depends on b\n",
    "ERROR in a.js\nb\n",
    '"a" exited ',
    "error failed cannot ",
    `a.js:1 ${"a-".repeat(40)}\n`,
    `a.js:1 failed [${"a-".repeat(40)}\n`,
  ])("grows no faster than an output that repeats %j", (unit) => {
    // An empty line costs as much as another one.
    const length = unit.trim() === "" && unit !== " " ? 30_000 : 200_000;
    expect(growsLinearly((part) => readFailedOutput(repeated(unit, part)), length)).toBe(true);
  });
});
