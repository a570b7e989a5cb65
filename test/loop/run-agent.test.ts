import { describe, expect, it } from "vitest";
import { troubleOf } from "../../src/loop/run-agent.js";

const well = { endedBy: "exit", exitCode: 0, signal: undefined } as const;
const limits = { timeoutMs: 90_000, idleMs: 10_000 };
const final = { kind: "final", text: "done", isError: false, isComplete: true } as const;

describe("the trouble with an agent", () => {
  it("is none when it ended by itself with status 0 and reports no error", () => {
    expect(troubleOf(well, final, limits)).toBeUndefined();
    expect(troubleOf(well, undefined, limits)).toBeUndefined();
  });

  it.each([
    ["its time was over", { endedBy: "timeout", signal: "SIGTERM" }, /after 1m 30s/],
    ["it was idle", { endedBy: "idle", signal: "SIGTERM" }, /10s without output/],
    ["it was stopped", { endedBy: "abort", exitCode: 0 }, /stopped/],
    ["a signal killed it", { exitCode: undefined, signal: "SIGSEGV" }, /SIGSEGV/],
    ["it exited with a code", { exitCode: 3 }, /code 3/],
  ] as const)("is that %s, whatever it said last", (_, given, message) => {
    expect(troubleOf({ ...well, ...given }, final, limits)).toMatch(message);
  });

  it("is that its output was cut off, or that it reported an error, even if its exit code is 0", () => {
    expect(troubleOf(well, { ...final, isComplete: false, isError: true }, limits)).toMatch(/cut off/);
    expect(troubleOf(well, { ...final, isError: true }, limits)).toMatch(/error$/);
    expect(troubleOf(well, { ...final, isError: true, subtype: "error_max_turns" }, limits)).toContain(
      "error_max_turns",
    );
  });

  it("is the status rather than what the output says", () => {
    expect(troubleOf({ ...well, exitCode: 1 }, { ...final, isError: true }, limits)).toMatch(/code 1/);
  });
});
