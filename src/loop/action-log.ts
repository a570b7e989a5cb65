import type { AgentAction } from "../agents/streams/agent-event.js";
import { messageOf } from "../domain/message-of.js";
import { readLogEntry } from "../episodic/attempts/read-log-entry.js";
import type { RunVerbs } from "../memory/runs/run-verbs.js";

/** Hands actions over to the record while the agent goes on. */
export interface ActionLog {
  add(action: AgentAction): void;
  /** Waits while too much is on its way to the record. */
  ready(): Promise<void>;
  /** Everything is recorded, or told as a problem. */
  flush(): Promise<void>;
  count(): number;
}

const mostWaiting = 50;

export function openActionLog(
  runs: Pick<RunVerbs, "log">,
  { taskId, runId, iteration }: { taskId: string; runId: number; iteration: number },
  onProblem: (message: string) => void,
): ActionLog {
  let waiting: AgentAction[] = [];
  let writing: Promise<void> | undefined;
  let count = 0;

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const entries = batch.map((action) => readLogEntry(inIteration(action), action.timestamp));
        await runs.log(taskId, entries);
      } catch (error) {
        const why = messageOf(error);
        onProblem(
          `${batch.length === 1 ? "an action was" : `${batch.length} actions were`} not recorded: ${why}`,
        );
      }
    }
    writing = undefined;
  };

  /** Numbers of tool calls begin anew with each run of an agent that names no session. */
  const inIteration = ({ idempotency_key: key, ...action }: AgentAction) => ({
    ...action,
    iteration,
    ...(key !== undefined && { idempotency_key: `${runId}:${iteration}:${key}` }),
  });

  return {
    add(action) {
      count += 1;
      waiting.push(action);
      writing ??= write();
    },
    ready: async () => (waiting.length > mostWaiting ? writing : undefined),
    flush: async () => writing,
    count: () => count,
  };
}
