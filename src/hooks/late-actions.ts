import { closeSync, constants, openSync, rmSync, statSync, writeSync } from "node:fs";
import { readRegularFile } from "../files/read-regular-file.js";
import type { Memory } from "../memory/memory.js";
import { runsOf } from "../memory/runs/make-run-verbs.js";
import type { NewAction } from "../memory/runs/run-verbs.js";
import { type AgentSession, sessionFile } from "./session-file.js";

const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_WRONLY } = constants;

/** Where the actions of a session wait that could not be recorded in time, because others kept the database busy. */
function lateFile(storeDirectory: string, { agent, session }: AgentSession): string {
  return `${sessionFile(storeDirectory, agent, session)}l`;
}

export function keepForLater(storeDirectory: string, session: AgentSession, action: NewAction): void {
  const file = openSync(lateFile(storeDirectory, session), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, `${JSON.stringify(action)}\n`);
  } finally {
    closeSync(file);
  }
}

/** Records what waits. Each action has a key, so one that was recorded meanwhile is not recorded twice. */
export async function recordLateActions(
  memory: Memory,
  storeDirectory: string,
  session: AgentSession & { taskId: string },
): Promise<void> {
  const path = lateFile(storeDirectory, session);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const content = readRegularFile(path);
  const lines = content.toString("utf8").split("\n");
  const actions = lines.flatMap((line) => readLine(line) ?? []);
  if (actions.length > 0) await runsOf(memory).logActions(session.taskId, actions);
  // What was added meanwhile is recorded the next time.
  if (statSync(path, { throwIfNoEntry: false })?.size === content.length) rmSync(path, { force: true });
}

/** Undefined for half a line, of a process that was killed. */
function readLine(line: string): NewAction | undefined {
  try {
    return JSON.parse(line) as NewAction;
  } catch {
    return undefined;
  }
}
