import { describe, expect, it } from "vitest";
import { showsFailure } from "../../../src/episodic/attempts/shows-failure.js";

const typeError = "src/a.ts(1,2): error TS2339: Property 'x' does not exist on type 'Y'.";
const judge = (command: string | undefined, output: string, isSuccess?: boolean) =>
  showsFailure({ command, output, isSuccess });

describe("a command", () => {
  it("failed or passed as its exit status says", () => {
    expect(judge("npx tsc", "", false)).toBe(true);
    expect(judge("npx tsc", typeError, true)).toBe(false);
    expect(judge("npm test", "ok\nProcess exited with code 1")).toBe(true);
    expect(judge("npm test", "Error: expected in a log\nExit Code: 0")).toBe(false);
  });

  it("that checks or builds, and hides its exit status, is judged by what it printed", () => {
    expect(judge("npx tsc --noEmit 2>&1 | tail -5", typeError, true)).toBe(true);
    expect(judge("npx tsc --noEmit; echo done", `${typeError}\ndone`, true)).toBe(true);
    expect(judge("npx tsc | tail -5", `${typeError}\nExit Code: 0`)).toBe(true);
    expect(judge("npx tsc --noEmit | tail -5", "", true)).toBe(false);
    expect(judge("git log | head -3", typeError, true)).toBe(false);
  });

  it("whose exit status nobody tells is judged by what it printed, unless it only looks", () => {
    expect(judge("node build.mjs", typeError)).toBe(true);
    expect(judge("ls /nowhere", "ls: cannot access '/nowhere': No such file or directory")).toBe(true);
    expect(judge("foo", "bash: foo: command not found")).toBe(true);
    expect(judge("cat tsc.log", typeError)).toBe(false);
    expect(judge("npm test", "12 passed")).toBe(false);
    expect(judge(undefined, typeError)).toBe(false);
  });
});
