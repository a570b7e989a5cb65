import { describe, expect, it } from "vitest";
import { type RunEndKind, runEndEffects } from "../../src/domain/tasks/run.js";
import { isWorthAnother, nextStep } from "../../src/loop/run-loop.js";
import { interruptedRuns } from "../../src/loop/start/find-resumable.js";

const kinds = Object.keys(runEndEffects) as RunEndKind[];

describe("after an attempt", () => {
  it("another one follows only where it could end otherwise", () => {
    expect(kinds.filter((kind) => isWorthAnother({ kind }))).toEqual(["stalled", "exhausted"]);
  });

  it("the next step is to look at what is done, and to resume what is not", () => {
    expect(nextStep("task-007", { kind: "completed" })).toBe("ralph history task-007");
    expect(nextStep("task-007", { kind: "interrupted" })).toBe("ralph resume task-007");
    for (const kind of kinds.filter((each) => each !== "completed"))
      expect(nextStep("task-007", { kind })).toContain("ralph resume task-007");
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
