import type { Run } from "../../domain/tasks/run.js";
import { isOnThisMachine } from "../../processes/runner.js";
import { fingerprint } from "../../text/fingerprint.js";
import type { TrustRequest } from "../../trust/request.js";

/** Whether a run of a team's store was recorded on another machine: whoever may write there could have made it up. */
export function isRecordedElsewhere({ read_at: readAt, runner }: Run): boolean {
  return readAt !== undefined && !isOnThisMachine(runner);
}

/** What tells a run from all others, also in another store. */
export function runDigest({ started, runner }: Pick<Run, "started" | "runner">): string {
  return fingerprint(JSON.stringify([started, runner.host, runner.pid]));
}

/** What resuming a run would start, when the run was recorded by somebody else. */
export function storedCommands({ task_id: id, options: { agent, verify } }: Run): TrustRequest {
  return {
    kind: "stored-command",
    name: `resume ${id}`,
    value: JSON.stringify({ agent, verify }),
    effect: "starts this agent and runs these commands to check the task",
  };
}
