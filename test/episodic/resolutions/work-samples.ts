import type { Action } from "../../../src/domain/tasks/action.js";
import type { FailureTrace } from "../../../src/episodic/resolutions/failure-trace.js";
import { traceFailures, type WorkStep } from "../../../src/episodic/resolutions/trace-failures.js";
import type { Failure } from "../../../src/failures/failure.js";
import { readFailedAction } from "../../../src/failures/find-failures.js";

const action = (tool: string, params: Action["params"], rest: Partial<Action> = {}): Action => ({
  timestamp: "2026-03-02T09:00:00.000Z",
  iteration: 1,
  tool,
  params,
  success: true,
  ...rest,
});

/** A command that fails with this output. */
export const fails = (command: string, output: string): Action =>
  action("Bash", { command }, { success: false, error: output });

/** A command that passes. */
export const runs = (command: string): Action => action("Bash", { command });

export const edits = (path: string, before = "one", after = "two", reasoning?: string): Action =>
  action(
    "Edit",
    { file_path: path, old_string: before, new_string: after },
    reasoning === undefined ? {} : { reasoning },
  );

export const reads = (path: string): Action => action("Read", { file_path: path });

/** One attempt of these actions, with its outcome. */
export function attemptOf(
  actions: readonly Action[],
  { attempt = 1, isSuccess = true, failures = [] as readonly Failure[] } = {},
): WorkStep[] {
  return [
    ...actions.map((each): WorkStep => ({ kind: "action", attempt, action: each })),
    { kind: "end", attempt, isSuccess, failures },
  ];
}

export const verdict = (failures: readonly Failure[], attempt = 1): WorkStep => ({
  kind: "verdict",
  attempt,
  isPassed: failures.length === 0,
  failures,
});

export const trace = (...steps: WorkStep[]): FailureTrace[] => traceFailures(steps, readFailedAction);

/** State, remedy and what did not help, in a few words. */
export function summaries(traces: readonly FailureTrace[]): Record<string, string> {
  return Object.fromEntries(
    traces.map(({ key, state, remedy, triedInVain }) => [
      key,
      [
        state,
        ...(remedy.length > 0 ? [`by ${namesOf(remedy)}`] : []),
        ...triedInVain.map((tried) => `not by ${namesOf(tried)}`),
      ].join(", "),
    ]),
  );
}

function namesOf(actions: readonly Action[]): string {
  return actions.map(({ params }) => String(params.command ?? params.file_path)).join(" + ");
}
