import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFailedAction } from "../../src/failures/find-failures.js";

function read(output: string, error?: string) {
  return readFailedAction({
    timestamp: "2026-01-01T00:00:00.000Z",
    iteration: 1,
    tool: "Bash",
    params: { command: "./check" },
    success: false,
    output,
    ...(error !== undefined && { error }),
  });
}

/** Outputs of tools that no reader knows, and the line that says what went wrong. */
const guesses: [output: string, message: string][] = [
  [
    "> shop@1.0.0 check:api\n> node scripts/api.mjs --check\n\nReading 41 routes\nComparing with openapi.json\n✖ openapi.json is out of date (1 path added)\nnpm error code 1\nnpm error path /project\nnpm error command failed\n",
    "openapi.json is out of date (1 path added)",
  ],
  [
    "Exit code 1\nwarming up 200 requests\n/items  p50 470 ms\n✗ p95 of 940 ms exceeds the budget of 120 ms\n",
    "p95 of 940 ms exceeds the budget of 120 ms",
  ],
  [
    "License checker 3.1\nScanning 812 packages...\nGPL-3.0 is not on the list of allowed licences (package left-pad)\n1 finding\nRun with --verbose to see all packages.\n",
    "GPL-3.0 is not on the list of allowed licences (package left-pad)",
  ],
  [
    "deploying web to staging\nuploading 12 files\nE: bucket shop-web does not accept uploads from this account\ndeploy failed\nLearn more: https://example.com/errors\n",
    "bucket shop-web does not accept uploads from this account",
  ],
  [
    "Validating schema...\n  ✓ orders\n  ✓ invalid orders are refused\n  ✗ items: field `price` must be a number\n2 passed, 1 failed\nmake: *** [Makefile:12: schema] Error 1\n",
    "items: field `price` must be a number",
  ],
  [
    "[1/3] fetching\n[2/3] linking\nCRITICAL lock /var/lib/tool/lock is held by another process\nexit status 2\n",
    "lock /var/lib/tool/lock is held by another process",
  ],
  [
    "starting\nERROR settings cannot be read:\n  - token is missing\nfor more information see docs/settings.md\n",
    "settings cannot be read: token is missing",
  ],
  [
    '{"level":"info","msg":"starting"}\n{"level":"error","msg":"listen failed","err":{"message":"port 80 needs privileges"}}\n',
    "port 80 needs privileges",
  ],
  [
    "<tool_use_error>File has not been read yet. Read it first.</tool_use_error>",
    "File has not been read yet. Read it first.",
  ],
  [
    "INFO    -  Cleaning site\nWARNING -  Doc file 'setup.md' links to 'keys.md', which is not found.\n\nAborted with 1 warnings in strict mode!\n",
    "Doc file 'setup.md' links to 'keys.md', which is not found.",
  ],
  [
    'time="10:00:00" level=info msg="starting"\ntime="10:00:01" level=fatal msg="no route to registry"\n',
    "no route to registry",
  ],
  [
    "Diagnostics:\n  storage (logs):\n    error: 1 error occurred:\n    \t* the bucket name logs is taken\n",
    "the bucket name logs is taken",
  ],
  [
    "2026/03/01 10:00:00 failed to connect to the queue: no route to host\nexit status 1\n",
    "failed to connect to the queue: no route to host",
  ],
];

describe("the failure of an unknown tool", () => {
  it.each(guesses)("in %j is a guess", (output, message) => {
    expect(read(output)).toEqual([{ message, isGuess: true }]);
  });

  it("is a finding where the tool names place and code", () => {
    const output =
      "styleguide 0.3\n2 files\ndocs/intro.md:1 W012 heading is not in sentence case\ndocs/setup.md:14:3 [no-passive] passive voice\nsrc/Cart.kt:12:1: Unexpected blank line (standard:no-blank-line)\n3 findings\n";
    expect(read(output)).toEqual([
      { file: "docs/intro.md", line: 1, code: "W012", message: "heading is not in sentence case" },
      { file: "docs/setup.md", line: 14, code: "no-passive", message: "passive voice" },
      { file: "src/Cart.kt", line: 12, code: "standard:no-blank-line", message: "Unexpected blank line" },
    ]);
  });

  it("is a guess where the tool names the place alone", () => {
    expect(read("app/menu.yml:7: unknown key `colour`\n")).toEqual([
      { file: "app/menu.yml", line: 7, message: "unknown key `colour`", isGuess: true },
    ]);
  });

  it.each([
    ["a banner", "tool 1.2.3\nworking\n"],
    ["a count", "checking\nFound 1 error\n"],
    ["a sum", "2 failed, 3 passed\n"],
    ["an exit code", "Exit code 1\n"],
    ["nothing", ""],
  ])("is not known by %s", (_, output) => {
    expect(read(output)).toEqual([]);
  });

  it("is an error of one line that the runner reports", () => {
    expect(read("tool 1.2.3\nworking\n", "Stopped by the user")).toEqual([
      { message: "Stopped by the user", isGuess: true },
    ]);
    expect(read("tool 1.2.3\n", "Exit code 1")).toEqual([]);
  });

  it.each(["jest-passing", "pytest-passing", "go-test-passing", "check-passing"])(
    "is not what the tests of %s printed, which passed",
    (name) => {
      const tests = readFileSync(join(import.meta.dirname, `../fixtures/tool-output/${name}.txt`), "utf8");
      expect(read(tests)).toEqual([]);
      expect(read(`${tests}\nupload: the bucket is not writable\n`)).toEqual([
        { message: "upload: the bucket is not writable", isGuess: true },
      ]);
    },
  );

  it("is no guess where a reader knows the tool", () => {
    expect(read("error TS2688: Cannot find type definition file for 'node'.\n")).toEqual([
      { tool: "tsc", code: "TS2688", message: "Cannot find type definition file for 'node'." },
    ]);
  });

  it("is better than what make says about its rule", () => {
    expect(read("prices.csv: column `amount` is missing\nmake: *** [Makefile:3: prices] Error 1\n")).toEqual([
      { message: "prices.csv: column `amount` is missing", isGuess: true },
    ]);
  });
});
