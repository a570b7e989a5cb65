import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/agent-definition.js";
import { defaultSettings } from "../../src/config/default-settings.js";
import type { RunOptions } from "../../src/domain/tasks/run.js";
import type { Verdict } from "../../src/loop/judge-iteration.js";
import { openMeter } from "../../src/loop/loop-context.js";
import { endAfter, isCrash, lastingCrash, pauseMsAfter } from "../../src/loop/run-attempt.js";
import { agentRun, runOptions } from "./iteration-samples.js";

interface Situation {
  verdict?: Verdict;
  iteration?: number;
  same?: number;
  crashes?: number;
  sameCrashes?: number;
  options?: Partial<RunOptions>;
  spentUsd?: number;
  spentBeforeUsd?: number;
  isStopped?: boolean;
  leftMs?: number;
  denied?: string[];
}

/** How the attempt ends after the second of five iterations, with nothing special about it unless it is said. */
function endIn({
  verdict = "failed",
  iteration = 2,
  same = 0,
  crashes = 0,
  sameCrashes = 0,
  ...given
}: Situation) {
  const meter = openMeter();
  meter.note({ inputTokens: 1, outputTokens: 1, costUsd: given.spentUsd ?? 0 });
  const context = {
    stop: given.isStopped ? AbortSignal.abort() : new AbortController().signal,
    options: runOptions(given.options),
    clock: () => new Date(1_000_000),
    deadline: 1_000_000 + (given.leftMs ?? 1),
    meter,
    agent: { name: "claude", program: "/bin/claude" } as AgentDefinition,
    spentBeforeUsd: given.spentBeforeUsd ?? 0,
  };
  const counts = { iteration, same, crashes, sameCrashes, lastIteration: 5 };
  const done = {
    verdict,
    reason: "npm test: exited with 1",
    agent: agentRun({ denied: given.denied ?? [] }),
  };
  return endAfter(context, done, counts);
}

describe("an attempt", () => {
  it("goes on after an iteration that failed or was not judged", () => {
    expect(endIn({})).toBeUndefined();
    expect(endIn({ verdict: "goes on", iteration: 4, same: 2, crashes: 0 })).toBeUndefined();
    expect(endIn({ crashes: 4 })).toBeUndefined();
  });

  it("is completed before any limit is looked at", () => {
    const all = { iteration: 5, same: 9, crashes: 9, leftMs: 0, spentUsd: 9, options: { maxCostUsd: 1 } };
    expect(endIn({ ...all, verdict: "completed", isStopped: true })).toEqual({
      kind: "completed",
      evidence: "npm test: exited with 1",
    });
  });

  it.each<[string, Situation]>([
    ["interrupted", { isStopped: true, verdict: "stopped" }],
    ["over-budget", { spentUsd: 1.01, options: { maxCostUsd: 1 } }],
    ["timed-out", { leftMs: 0 }],
    ["failed", { crashes: 5 }],
    ["failed", { crashes: 2, sameCrashes: 2 }],
    ["stalled", { same: 3 }],
    ["exhausted", { iteration: 5 }],
  ])("is %s", (kind, situation) => {
    expect(endIn(situation)).toMatchObject({ kind });
  });

  it.each<[string, Situation]>([
    ["stalled", { same: 3 }],
    ["exhausted", { iteration: 5 }],
  ])("that is %s without a tool that was not permitted says how to permit it", (kind, situation) => {
    const advice = expect.stringMatching(/^permit claude to use Bash, WebFetch in its own settings/);
    expect(endIn({ ...situation, denied: ["Bash", "WebFetch"] })).toMatchObject({ kind, advice });
    expect(endIn(situation)).not.toHaveProperty("advice");
  });

  it("is what comes first in that order, when several things end it", () => {
    const ends: Situation[] = [
      { isStopped: true },
      { spentUsd: 2, options: { maxCostUsd: 1 } },
      { leftMs: 0 },
      { crashes: 5 },
      { same: 3 },
      { iteration: 5 },
    ];
    const kinds = ends.map((_, index) => endIn(Object.assign({}, ...ends.slice(index)))?.kind);
    expect(kinds).toEqual(["interrupted", "over-budget", "timed-out", "failed", "stalled", "exhausted"]);
  });

  it("may spend exactly what it is allowed, with what was spent before an interruption", () => {
    const options = { maxCostUsd: 1 };
    expect(endIn({ spentUsd: 0.5, spentBeforeUsd: 0.5, options })).toBeUndefined();
    const end = endIn({ spentUsd: 0.5, spentBeforeUsd: 0.75, options });
    expect(end).toMatchObject({ kind: "over-budget", limit: "1 USD" });
    expect(end?.evidence).toContain("1.25");
    expect(endIn({ spentUsd: 1000 })).toBeUndefined();
  });

  it("tells the limit that ended it, and the last reason", () => {
    expect(endIn({ iteration: 5 })).toMatchObject({ limit: "5 iterations" });
    expect(endIn({ iteration: 5 })?.evidence).toContain("npm test: exited with 1");
    expect(endIn({ leftMs: 0, options: { timeoutMs: 90_000 } })).toMatchObject({ limit: "1m 30s" });
    for (const situation of [{ crashes: 5 }, { same: 3 }]) {
      expect(endIn(situation)?.limit).toBeUndefined();
      expect(endIn(situation)?.evidence).toContain("npm test: exited with 1");
    }
  });

  it("is over after its last iteration also when it was taken up behind it", () => {
    expect(endIn({ iteration: 7 })).toMatchObject({ kind: "exhausted" });
  });
});

describe("a crash", () => {
  const broken = agentRun({ hasBrokenDown: true, trouble: "the agent exited with code 7" });

  it("is an agent that broke down before it did anything", () => {
    expect(isCrash({ agent: broken, hasChanged: false })).toBe(true);
  });

  it("is not one that was ended, or had begun to work", () => {
    expect(isCrash({ agent: { ...broken, hasBrokenDown: false }, hasChanged: false })).toBe(false);
    expect(isCrash({ agent: { ...broken, actions: 1 }, hasChanged: false })).toBe(false);
    expect(isCrash({ agent: broken, hasChanged: true })).toBe(false);
  });

  it("lasts if the agent failed at once for a reason that no pause mends, whatever the numbers in it", () => {
    const of = (trouble: string, elapsedMs = 10) =>
      lastingCrash({ agent: { ...broken, trouble, elapsedMs }, hasChanged: false });
    expect(of("exited with code 1: no key (request 17)")).toBe(of("exited with code 1: no key (request 18)"));
    expect(of("exited with code 1: no key", 120_000)).toBeUndefined();
    for (const passing of ["429 Too Many Requests", "overloaded_error", "connect ECONNREFUSED", "try again"])
      expect(of(`exited with code 1: ${passing}`)).toBeUndefined();
  });

  it("is followed by a pause that doubles, up to half a minute, and never beyond the end of the run", () => {
    const settings = { ...defaultSettings, "run.first_pause_seconds": 2 };
    const clock = () => new Date(0);
    const pauses = [1, 2, 3, 4, 5, 6].map((crashes) =>
      pauseMsAfter(crashes, { clock, settings, deadline: 3_600_000 }),
    );
    expect(pauses).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(pauseMsAfter(3, { clock, settings, deadline: 500 })).toBe(500);
    expect(pauseMsAfter(3, { clock, settings, deadline: -500 })).toBe(0);
  });
});
