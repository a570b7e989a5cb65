import { describe, expect, it } from "vitest";
import { feedbackOf, isJudged, judge, outputOf } from "../../src/loop/judge-iteration.js";
import { agentRun, runOptions, verification } from "./iteration-samples.js";

const goesOn = new AbortController().signal;
const done = "All of it works.\n\n<promise>COMPLETE</promise>";
const unchecked = { options: runOptions(), stop: goesOn };
const checked = { options: runOptions({ verify: ["npm test"] }), stop: goesOn };
const checkedTwice = { options: runOptions({ verify: ["npm test", "npm run lint"] }), stop: goesOn };
const passed = verification({ passed: true });

describe("an iteration without a verification", () => {
  it("completes the task when the agent promises it", () => {
    expect(judge(unchecked, agentRun({ finalText: done }), [])).toMatchObject({
      verdict: "completed",
      quality: undefined,
    });
  });

  it("goes on when the agent does not", () => {
    const judged = judge(unchecked, agentRun({ finalText: "More tomorrow." }), []);
    expect(judged).toMatchObject({ verdict: "goes on", quality: undefined });
    expect(isJudged(judged)).toBe(false);
  });

  it("has failed when the agent ended badly, whatever it promised", () => {
    const agent = agentRun({ finalText: done, trouble: "the agent exited with code 7" });
    expect(judge(unchecked, agent, [])).toEqual({
      verdict: "failed",
      reason: "the agent exited with code 7",
      quality: undefined,
    });
  });

  it("waits for another promise where one is set", () => {
    const options = runOptions({ promise: "ALL_GREEN" });
    const verdictOf = (finalText: string) =>
      judge({ options, stop: goesOn }, agentRun({ finalText }), []).verdict;
    expect([verdictOf(done), verdictOf("ALL_GREEN")]).toEqual(["goes on", "completed"]);
  });
});

describe("an iteration with a verification", () => {
  it("completes the task when all of it passes, whatever the agent says", () => {
    expect(judge(checked, agentRun({ finalText: "not sure" }), [passed])).toMatchObject({
      verdict: "completed",
      quality: 1,
    });
    expect(judge(checkedTwice, agentRun(), [passed, passed]).verdict).toBe("completed");
  });

  it("has failed when it passes but the agent ended badly", () => {
    const judged = judge(checked, agentRun({ trouble: "the agent was killed by SIGKILL" }), [passed]);
    expect(judged).toMatchObject({ verdict: "failed", quality: 1 });
    expect(judged.reason).toContain("killed by SIGKILL");
  });

  it("has failed when one of several commands fails, which is named", () => {
    const lint = verification({ command: "npm run lint", exitCode: 3 });
    const { verdict, reason, quality } = judge(checkedTwice, agentRun(), [passed, lint]);
    expect([verdict, quality]).toEqual(["failed", 0.5]);
    expect(reason).toMatch(/npm run lint: .*3/);
    expect(reason).not.toContain("npm test");
  });

  it("has failed when a command was not run", () => {
    expect(judge(checkedTwice, agentRun(), [passed]).verdict).toBe("failed");
    expect(judge(checked, agentRun(), [])).toMatchObject({ verdict: "failed", quality: undefined });
  });

  it.each([
    ["by its status", { exitCode: 4 }, /npm test: .*4/],
    ["by a signal", { exitCode: undefined }, /npm test: .*signal/],
    ["because it took too long", { endedBy: "timeout" }, /npm test: timed out/],
    ["because it cannot be run", { cannotRun: true, exitCode: 127 }, /npm test: cannot be run/],
    ["with its tests counted", { counts: { passed: 3, total: 4 } }, /3 of 4/],
  ] as const)("says that a command failed %s", (_, given, reason) => {
    expect(judge(checked, agentRun(), [verification(given)]).reason).toMatch(reason);
  });

  it("says more of a failure after a promise, which is not kept", () => {
    const reasonOf = (finalText: string) => judge(checked, agentRun({ finalText }), [verification()]).reason;
    expect(reasonOf(done).startsWith(reasonOf(""))).toBe(true);
    expect(reasonOf(done)).not.toBe(reasonOf(""));
  });

  it("counts the tests that pass as quality, but never as all of it while the command fails", () => {
    const qualityOf = (counts: { passed: number; total: number }) =>
      judge(checked, agentRun(), [verification({ counts })]).quality;
    expect(qualityOf({ passed: 3, total: 4 })).toBe(0.75);
    expect(qualityOf({ passed: 4, total: 4 })).toBe(0.8);
  });
});

describe("an iteration that was stopped", () => {
  const stop = AbortSignal.abort();

  it("is not judged when the agent or the verification was cut short", () => {
    const { options } = checkedTwice;
    const cutShort = verification({ endedBy: "abort", exitCode: undefined });
    for (const [agent, verifications] of [
      [agentRun({ trouble: "the agent was stopped" }), []],
      [agentRun(), [passed]],
      [agentRun(), [passed, cutShort]],
    ] as const) {
      const judged = judge({ options, stop }, agent, verifications);
      expect(judged).toMatchObject({ verdict: "stopped", quality: undefined });
      expect(isJudged(judged)).toBe(false);
    }
  });

  it("is judged when the stop came after everything", () => {
    expect(judge({ ...checked, stop }, agentRun(), [passed]).verdict).toBe("completed");
    expect(judge({ ...checked, stop }, agentRun(), [verification()]).verdict).toBe("failed");
    expect(judge({ ...unchecked, stop }, agentRun({ finalText: done }), []).verdict).toBe("completed");
  });
});

describe("what is kept of an iteration", () => {
  const lint = verification({ command: "npm run lint", output: "a.ts:1 unused\n\n" });

  it("is what the commands that failed printed, else what all did", () => {
    const good = verification({ passed: true, output: "4 passed\n" });
    expect(outputOf(agentRun(), [good, lint])).toBe("$ npm run lint\na.ts:1 unused");
    expect(outputOf(agentRun(), [good, { ...lint, passed: true }])).toBe(
      "$ npm test\n4 passed\n\n$ npm run lint\na.ts:1 unused",
    );
    expect(outputOf(agentRun(), [])).toBe("");
  });

  it("begins with what went wrong with the agent, and what it said of that", () => {
    const agent = agentRun({ trouble: "the agent exited with code 7", errorOutput: "\nno such model\n" });
    expect(outputOf(agent, [lint])).toBe(
      "the agent exited with code 7\nno such model\n\n$ npm run lint\na.ts:1 unused",
    );
    expect(outputOf({ ...agent, trouble: undefined }, [])).toBe("");
  });

  it("goes to the next iteration with the reason, unless nothing was judged", () => {
    const failed = judge(checked, agentRun(), [lint]);
    expect(feedbackOf(failed, "a.ts:1 unused", ["npm test"])).toBe(`${failed.reason}.\n\na.ts:1 unused`);
    const open = judge(unchecked, agentRun(), []);
    expect(feedbackOf(open, "ignored", [])).not.toContain("ignored");
    expect(feedbackOf(open, "", [])).not.toBe(feedbackOf(open, "", ["npm test"]));
  });
});
