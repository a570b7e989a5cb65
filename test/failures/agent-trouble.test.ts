import { describe, expect, it } from "vitest";
import { findFailures, readFailedAction, readFailedOutput } from "../../src/failures/find-failures.js";
import { troubleOf } from "../../src/loop/run-agent.js";

const ended = { endedBy: "exit", exitCode: 0, signal: undefined } as const;
const limits = { timeoutMs: 60_000, idleMs: 0 };
const final = { kind: "final", text: "", isComplete: true, isError: false } as const;
const troubles = [
  troubleOf({ ...ended, exitCode: 3 }, undefined, limits),
  troubleOf({ ...ended, signal: "SIGSEGV" }, undefined, limits),
  ...(["timeout", "idle", "abort"] as const).map((endedBy) =>
    troubleOf({ ...ended, endedBy }, undefined, limits),
  ),
  troubleOf(ended, { ...final, isComplete: false }, limits),
  troubleOf(ended, { ...final, isError: true, subtype: "overloaded" }, limits),
];

const action = { timestamp: "", iteration: 1, tool: "Bash", params: {}, success: false };
const check = "$ npm test\nFAIL cart.test.ts\nError: expected 3, got 2";

describe("an agent that broke down", () => {
  it.each([
    "the agent exited with code 3: boom: cannot reach API\nError: boom: cannot reach API",
    "the agent timed out after 2m\n\nTypeError: fetch failed",
    "the agent was killed by SIGSEGV",
    "the agent's output was cut off\nError: socket hang up",
    "the agent reported an error (overloaded)\nError: 529",
  ])("has no failure of the project in what it printed: %s", (trouble) => {
    expect(findFailures(trouble)).toEqual([]);
    expect(readFailedOutput(trouble)).toEqual([]);
    expect(readFailedOutput(`${trouble}\n\n${check}`)).toEqual(readFailedOutput(check));
  });

  it("is known by whatever the loop says of it", () => {
    for (const trouble of troubles) {
      expect(trouble).toMatch(/^the agent/);
      expect(readFailedOutput(`${trouble}\nError: socket hang up`)).toEqual([]);
    }
  });

  it("is nothing but the beginning of an output", () => {
    expect(readFailedOutput(`${check}\nthe agent exited with code 3`)).not.toEqual([]);
    expect(readFailedOutput("Error: the agent exited with code 3")).not.toEqual([]);
  });
});

describe("a tool that the agent was not permitted to use", () => {
  it.each([
    "Claude requested permissions to use Bash, but you haven't granted it yet.",
    "Claude requested permissions to write to /srv/app/cart.ts, but you haven't granted it yet.",
    "This command requires approval",
    "Permission to use Bash with command npm install has been denied.",
  ])("is no failure of the project: %s", (denial) => {
    expect(readFailedAction({ ...action, error: denial })).toEqual([]);
    expect(readFailedOutput(`${denial}\n${check}`)).toEqual(readFailedOutput(check));
  });
});
