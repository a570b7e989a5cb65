import { describe, expect, it } from "vitest";
import type { Action } from "../../src/domain/tasks/action.js";
import { traceFailures } from "../../src/episodic/resolutions/trace-failures.js";
import { failuresOf, readActionsOnce, readFailedAction } from "../../src/failures/find-failures.js";
import { tscOutput } from "../support/open-scratch-memory.js";

function action(success: boolean, output: string): Action {
  return {
    timestamp: "2026-01-01T00:00:00.000Z",
    iteration: 1,
    tool: "Bash",
    params: { command: "npx tsc" },
    success,
    output,
  };
}

describe("the failures of an iteration or attempt", () => {
  const failed = [
    action(false, tscOutput("a.ts", 1)),
    action(false, tscOutput("b.ts", 2)),
    action(true, tscOutput("c.ts", 3)),
  ];

  it("are those of the output", () => {
    expect(failuresOf([{ message: "No such column" }], failed)).toEqual([{ message: "No such column" }]);
  });

  it("are those of the last failed action when the output has none", () => {
    expect(failuresOf([], failed)).toMatchObject([{ file: "b.ts", line: 2 }]);
  });

  it("are those of the last failed action when the output only says that something failed", () => {
    const found = [{ message: "Process completed with exit code 1." }];
    expect(failuresOf(found, failed)).toMatchObject([{ file: "b.ts", line: 2 }]);
    expect(failuresOf(found, [])).toEqual(found);
  });

  it("are parsed once from each action, however often they are needed", () => {
    const parsed: string[] = [];
    const readAction = readActionsOnce((each) => {
      parsed.push(each.output ?? "");
      return readFailedAction(each);
    });
    failuresOf([], failed, readAction);
    expect(parsed).toEqual([tscOutput("b.ts", 2)]);
    const steps = failed.map((each) => ({ kind: "action" as const, attempt: 1, action: each }));
    traceFailures(steps, readAction);
    traceFailures(steps, readAction);
    expect(parsed.sort()).toEqual([tscOutput("a.ts", 1), tscOutput("b.ts", 2)]);
  });
});
