import type { Run } from "../../domain/tasks/run.js";
import { queryHistory, type TaskHistory } from "../../episodic/history/query-history.js";
import { isOnThisMachine } from "../../processes/runner.js";
import { instructionIn } from "../../semantic/staging/validate-learning.js";
import type { Repositories } from "../../store/store.js";
import { fingerprint } from "../../text/fingerprint.js";
import { unique } from "../../text/unique.js";
import type { TrustRequest } from "../../trust/request.js";
import { textsIn, textsOfTask } from "../imports/injected-texts.js";

/** Whether a run in a team's store was recorded on another machine: anyone with access to the server could have forged it. */
export function isRecordedElsewhere({ read_at: readAt, runner }: Run): boolean {
  return readAt !== undefined && !isOnThisMachine(runner);
}

/** Identifies a run across stores. */
export function runDigest({ started, runner }: Pick<Run, "started" | "runner">): string {
  return fingerprint(JSON.stringify([started, runner.host, runner.pid]));
}

/** The commands that resuming a run would start, if someone else recorded it. */
export function storedCommands({ task_id: id, options: { agent, verify } }: Run): TrustRequest {
  return {
    kind: "stored-command",
    name: `resume ${id}`,
    value: JSON.stringify({ agent, verify }),
    effect: "starts this agent and runs these commands to check the task",
  };
}

/** The request in the text of an imported record, by the id of a learning or the UUID of a task; undefined if it is harmless or gone. */
export async function requestOfImported(store: Repositories, key: string): Promise<TrustRequest | undefined> {
  if (key.startsWith("learn-")) {
    const learning = (await store.learnings.find(key))?.learning;
    return learning && requestOf(learning.id, textsIn(learning));
  }
  const task = await store.tasks.findByUuid(key);
  return task && requestOf(task.id, textsOfTask(await historyOf(store, task.id)));
}

export function historyOf(store: Repositories, taskId: string): Promise<TaskHistory> {
  return queryHistory({ store }, taskId, { isFull: false });
}

function requestOf(name: string, texts: readonly string[]): TrustRequest | undefined {
  const value = unique(texts.filter((text) => instructionIn(text) !== undefined)).join("\n");
  if (value === "") return undefined;
  return { kind: "imported-text", name, value, effect: "shows agents this, which reads like an instruction" };
}
