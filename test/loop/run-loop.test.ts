import { describe, expect, it } from "vitest";
import { type RunEndKind, runEndEffects } from "../../src/domain/tasks/run.js";
import { isWorthAnother, nextStep } from "../../src/loop/run-loop.js";
import { interruptedRuns } from "../../src/loop/start/find-resumable.js";

const options = { verify: ["npm test"] };
const kinds = Object.keys(runEndEffects) as RunEndKind[];

describe("after an attempt", () => {
  it("another one follows only where it could end otherwise", () => {
    expect(kinds.filter((kind) => isWorthAnother({ kind }))).toEqual(["stalled", "exhausted"]);
  });

  it("the next step is to look at what is done, and to resume what is not", () => {
    expect(nextStep("task-007", { kind: "completed" }, { options })).toBe("ralph history task-007");
    expect(nextStep("task-007", { kind: "interrupted" }, { options })).toBe("ralph resume task-007");
    for (const kind of kinds.filter((each) => each !== "completed"))
      expect(nextStep("task-007", { kind }, { options })).toContain("ralph resume task-007");
  });

  it("begins with the advice, and is another run where the check holds a secret, which is not stored", () => {
    const advice = "set ANTHROPIC_API_KEY";
    expect(nextStep("task-007", { kind: "failed" }, { options, advice })).toBe(
      "set ANTHROPIC_API_KEY, then ralph resume task-007",
    );
    const verify = [`curl -H "Authorization: Bearer ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}"`];
    const next = nextStep("task-007", { kind: "interrupted" }, { options: { verify } });
    expect(next).not.toContain("resume");
    expect(next).toContain("environment variable");
  });
});

describe("the runs that a run goes on with", () => {
  const run = (kind?: RunEndKind) => (kind === undefined ? {} : { end: { kind, evidence: "" } });

  it("are those that were interrupted, back to the first that was not", () => {
    const [newest, second, other, old] = [
      run("interrupted"),
      run("interrupted"),
      run("failed"),
      run("interrupted"),
    ];
    expect(interruptedRuns([newest, second, other, old])).toEqual([newest, second]);
    expect(interruptedRuns([newest, second])).toEqual([newest, second]);
  });

  it("are none after a run that came to an end of its own", () => {
    expect(interruptedRuns([run("exhausted"), run("interrupted")])).toEqual([]);
    expect(interruptedRuns([run()])).toEqual([]);
    expect(interruptedRuns([])).toEqual([]);
  });
});
