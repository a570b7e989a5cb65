import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFailures } from "../../src/failures/find-failures.js";

const folder = join(import.meta.dirname, "../fixtures/tool-output");
const fixture = (name: string) => readFileSync(join(folder, `${name}.txt`), "utf8");

const time = (at: number) => `2026-03-01T10:00:${String(at % 60).padStart(2, "0")}.1234567Z`;
const prefixed = (text: string, prefix: (at: number) => string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line, at) => prefix(at) + line)
    .join("\n");

const tools = [
  "vitest-many",
  "jest-many",
  "pytest-long",
  "cargo-build",
  "eslint",
  "npm-eresolve",
  "rspec",
  "playwright",
];

/** What other programs put in front of each line. */
const logs: [name: string, prefix: (at: number) => string][] = [
  ["a workflow of GitHub", (at) => `check\tRun the tests\t${time(at)} `],
  ["a downloaded log", (at) => `${time(at)} `],
  ["a log with local times", (at) => `[2026-03-01 10:00:${10 + (at % 50)},123] `],
  ["docker build", (at) => `#12 ${at}.102 `],
  ["docker compose", () => "shop-web-1  | "],
  ["turbo", () => "@shop/web:check: "],
  ["pnpm", () => "apps/web check: "],
  ["concurrently", () => "[web] "],
  ["git push", () => "remote: "],
];

describe("failures in a log", () => {
  it.each(logs.flatMap(([log, prefix]) => tools.map((tool) => [tool, log, prefix] as const)))(
    "of %s inside %s are the same as without it",
    (tool, _, prefix) => {
      expect(findFailures(prefixed(fixture(tool), prefix))).toEqual(findFailures(fixture(tool)));
    },
  );

  it("of a workflow leave out the command and how it ended", () => {
    const log = `##[group]Run npm run check
npm run check
shell: /usr/bin/bash -e {0}
env:
  MODE: error
##[endgroup]
${fixture("tsc")}##[error]Process completed with exit code 2.`;
    expect(findFailures(prefixed(log, (at) => `check\tRun it\t${time(at)} `))).toEqual(
      findFailures(fixture("tsc")),
    );
  });

  it("of a workflow's own step are what it says", () => {
    expect(findFailures(`build\tUpload\t${time(1)} ##[error]No files were found at dist/`)).toMatchObject([
      { message: "No files were found at dist/" },
    ]);
  });

  it("of several services are found, although their lines are mixed", () => {
    const test = fixture("pytest-short").trimEnd().split("\n");
    const mixed = test.flatMap((line, at) => [`api-1  | ${line}`, `db-1   | checkpoint ${at} complete`]);
    expect(findFailures(mixed.join("\n"))).toEqual(findFailures(fixture("pytest-short")));
  });

  it("are found behind whatever a program logs in between", () => {
    const noise = [
      '{"level":50,"time":1,"err":{"message":"no such cart"},"msg":"request errored"}',
      "(node:12) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.",
      "npm warn deprecated glob@7.0.0: Glob versions prior to v9 are no longer supported",
      "stderr | src/mail.test.ts > mail > gives up",
    ];
    const text = fixture("vitest-many")
      .split("\n")
      .flatMap((line, at) => [noise[at % noise.length] ?? "", line])
      .join("\n");
    expect(findFailures(text)).toEqual(findFailures(fixture("vitest-many")));
  });

  it.each([
    ["a source line in a frame", "  3 | const a = 1;\n> 4 | const b = a;\n    | ^\n"],
    ["a table", "name | count\nred  | 3\nblue | 4\n"],
    ["warnings", "warning: a\nwarning: b\nwarning: c\n"],
  ])("are none in %s", (_, text) => {
    expect(findFailures(text)).toEqual([]);
  });
});
