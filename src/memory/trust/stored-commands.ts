import type { Run } from "../../domain/tasks/run.js";
import type { TrustRequest } from "../../trust/request.js";

/** What resuming a run would start, when the run was recorded by somebody else. */
export function storedCommands({ task_id: id, options: { agent, verify } }: Run): TrustRequest {
  return {
    kind: "stored-command",
    name: `resume ${id}`,
    value: JSON.stringify({ agent, verify }),
    effect: "starts this agent and runs these commands to check the task",
  };
}
