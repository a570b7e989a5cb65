import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { type NewAction, storableAction } from "../episodic/attempts/storable-action.js";
import { maxGivenBytes, readRegularFile } from "../files/read-regular-file.js";
import type { HookContext } from "./handle-event.js";
import {
  type AgentSession,
  isUnreachable,
  lateFileOf,
  listLateFiles,
  removeSession,
  sessionFile,
} from "./session-files.js";
import { recordTask, type SessionWithTask } from "./session-task.js";

const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_WRONLY } = constants;

/**
 * Records an action. The first one of a task begins it; an action after the end of its attempt, because somebody ended it, it was
 * resumed or a prompt was killed, is another attempt. While the database cannot be reached, the action waits in a file. A session
 * without its task is forgotten, so that the next prompt begins one.
 */
export async function recordAction(
  context: HookContext,
  session: AgentSession,
  entry: NewAction,
): Promise<void> {
  // Nobody has asked for anything that may be recorded.
  if (session.taskId === undefined && session.unbegun === undefined) return;
  try {
    const { taskId } = session;
    if (taskId !== undefined) return await recordInAttempt(context, { ...session, taskId }, [entry]);
    const begun = await recordTask(context, session);
    await recordInAttempt(context, begun, [{ ...entry, iteration: begun.iteration }]);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    if (error.code === "not-found")
      removeSession(sessionFile(context.storeDirectory, context.agent, session.session));
    if (!isUnreachable(error)) throw error;
    keepAction(context, session, entry);
  }
}

/** In the attempt in progress, else in another one. */
async function recordInAttempt(
  { runs, tasks }: HookContext,
  { taskId, agent, runner }: SessionWithTask,
  actions: readonly NewAction[],
): Promise<void> {
  try {
    await runs.logActions(taskId, actions);
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "wrong-use") throw error;
    try {
      await tasks.start(taskId, { agent, runner, hasBrief: false });
    } catch (refusal) {
      // Another hook has just started it.
      if (!(refusal instanceof RalphError) || isUnreachable(refusal)) throw refusal;
    }
    await runs.logActions(taskId, actions);
  }
}

/** Keeps an action in a file, with a key by which it is recorded once. */
export function keepAction(
  { storeDirectory }: HookContext,
  session: AgentSession,
  { idempotencyKey, ...action }: NewAction,
): void {
  // Without a prompt that may be recorded, nothing is.
  if (session.taskId === undefined && session.unbegun === undefined) return;
  const kept = { ...storableAction(action), idempotencyKey: idempotencyKey || randomUUID() };
  const path = lateFile(storeDirectory, session);
  // Another process that records what waits moves the file away first, and may have read it before this line was in it.
  while (!append(path, `\n${JSON.stringify(kept)}\n`));
}

/** Where actions of a session wait that could not be recorded in time. */
function lateFile(storeDirectory: string, { agent, session }: AgentSession): string {
  return lateFileOf(sessionFile(storeDirectory, agent, session));
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

/** Records the actions that wait. Each has a key, so one that was recorded meanwhile is not recorded twice. */
export async function recordLateActions(context: HookContext, session: SessionWithTask): Promise<void> {
  const { storeDirectory } = context;
  const path = lateFile(storeDirectory, session);
  for (const found of listLateFiles(sessionFile(storeDirectory, session.agent, session.session))) {
    const taken = found === path ? moveAway(path) : found;
    const actions = taken === undefined ? [] : readActions(taken);
    if (actions.length > 0) await recordInAttempt(context, session, actions);
    if (taken !== undefined) rmSync(taken, { force: true });
  }
}

/** Undefined if another process was quicker. */
function moveAway(path: string): string | undefined {
  const moved = `${path}.${randomUUID()}`;
  try {
    renameSync(path, moved);
    return moved;
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

/** Undefined for half a line, of a process that was killed. */
function readLine(line: string): NewAction | undefined {
  try {
    return JSON.parse(line) as NewAction;
  } catch {
    return undefined;
  }
}
