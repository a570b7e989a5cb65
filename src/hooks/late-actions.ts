import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { lazyModule } from "../domain/lazy-module.js";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import type { NewAction } from "../episodic/attempts/log-entries.js";
import { maxGivenBytes, readRegularFile } from "../files/read-regular-file.js";
import type { Memory } from "../memory/memory.js";
import { lateFileOf, listLateFiles } from "./list-session-files.js";
import { type AgentSession, sessionFile } from "./session-file.js";

const runs = lazyModule(() => import("../memory/runs/runs.js"));

const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_WRONLY } = constants;

/** Where the actions of a session wait that could not be recorded in time, because the database was out of reach. */
function lateFile(storeDirectory: string, { agent, session }: AgentSession): string {
  return lateFileOf(sessionFile(storeDirectory, agent, session));
}

export function keepForLater(storeDirectory: string, session: AgentSession, action: NewAction): void {
  const path = lateFile(storeDirectory, session);
  // Whoever records what waits takes the file away first, and may have read it before this line was in it.
  while (!append(path, `\n${JSON.stringify(action)}\n`));
}

/** Returns whether the file that was written to is still in its place. */
function append(path: string, line: string): boolean {
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, line);
    return statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino;
  } finally {
    closeSync(file);
  }
}

export function hasLateActions(storeDirectory: string, session: AgentSession): boolean {
  return listLateFiles(sessionFile(storeDirectory, session.agent, session.session)).length > 0;
}

/** Records what waits. Each action has a key, so one that was recorded meanwhile is not recorded twice. */
export async function recordLateActions(
  memory: Memory,
  storeDirectory: string,
  session: AgentSession & { taskId: string },
): Promise<void> {
  const path = lateFile(storeDirectory, session);
  for (const found of listLateFiles(sessionFile(storeDirectory, session.agent, session.session))) {
    const taken = found === path ? takeAway(path) : found;
    const actions = taken === undefined ? [] : readActions(taken);
    if (actions.length > 0)
      await runs
        .runsOf(memory)
        .then((verbs) => verbs.logActions(session.taskId, actions))
        .catch((error: unknown) => inAnotherAttempt(error, memory, session, actions));
    if (taken !== undefined) rmSync(taken, { force: true });
  }
}

/** Undefined if another process was quicker. */
function takeAway(path: string): string | undefined {
  const taken = `${path}.${randomUUID()}`;
  try {
    renameSync(path, taken);
    return taken;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** None if another process has recorded them. */
function readActions(path: string): NewAction[] {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const lines = readRegularFile(path, { maxBytes: maxGivenBytes }).toString("utf8").split("\n");
  return lines.flatMap((line) => readLine(line) ?? []);
}

/** Its attempt was ended meanwhile. */
async function inAnotherAttempt(
  error: unknown,
  memory: Memory,
  session: AgentSession & { taskId: string },
  actions: readonly NewAction[],
): Promise<void> {
  if (!(error instanceof RalphError) || error.code !== "wrong-use") throw error;
  const { recordInAnother } = await import("./work/go-on.js");
  await recordInAnother(memory, session, actions);
}

/** Undefined for half a line, of a process that was killed. */
function readLine(line: string): NewAction | undefined {
  try {
    return JSON.parse(line) as NewAction;
  } catch {
    return undefined;
  }
}
