import type { AgentAction } from "../agents/streams/agent-event.js";
import { messageOf } from "../domain/ralph-error.js";
import type { NewAction, RunVerbs } from "../memory/runs/runs.js";

/** Records the agent's actions in batches while the agent works. */
export interface ActionLog {
  add(action: AgentAction): void;
  /** Waits while too many actions are queued. */
  ready(): Promise<void>;
  /** Waits until all actions are recorded, or reported as problems. */
  flush(): Promise<void>;
  count(): number;
}

const maxQueued = 50;

export function openActionLog(
  runs: Pick<RunVerbs, "logActions">,
  { taskId, runId, iteration }: { taskId: string; runId: number; iteration: number },
  onProblem: (message: string) => void,
): ActionLog {
  let queue: AgentAction[] = [];
  let writing: Promise<void> | undefined;
  let count = 0;

  const write = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        await runs.logActions(taskId, batch.map(inIteration), runId);
      } catch (error) {
        const why = messageOf(error);
        onProblem(
          `${batch.length === 1 ? "an action was" : `${batch.length} actions were`} not recorded: ${why}`,
        );
      }
    }
    writing = undefined;
  };

  const inIteration = ({ idempotency_key: key, duration_ms: _, ...action }: AgentAction): NewAction => ({
    ...action,
    iteration,
    // Some agents have no session id and number their tool calls from 1 in each run.
    idempotencyKey: key === undefined ? undefined : `${runId}:${iteration}:${key}`,
  });

  return {
    add(action) {
      count += 1;
      queue.push(action);
      writing ??= write();
    },
    ready: async () => (queue.length > maxQueued ? writing : undefined),
    flush: async () => writing,
    count: () => count,
  };
}
