import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BriefRecord } from "../domain/knowledge/brief.js";
import { isSystemError, type RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { maxFolderEntries, namesIn } from "../files/names-in.js";
import { makePrivateDirectory } from "../files/private-directory.js";
import { readRegularFile } from "../files/read-regular-file.js";
import { replaceOwnFile } from "../files/replace-file.js";
import { fingerprint } from "../text/fingerprint.js";
import { unique } from "../text/unique.js";

const folderName = "sessions";

/** What is known of a session while it is not finished; what it did is in the database. */
export interface AgentSession {
  agent: string;
  session: string;
  /** The task that its prompts are about, since something was done about it. */
  taskId?: string;
  /** The prompt that its task begins with, without secrets, until something is done about it and can be recorded. */
  unbegun?: string;
  /** When that prompt was given. */
  unbegunAt?: string;
  /** How many tasks it has had, if that is known. */
  taskCount?: number;
  /** How many prompts there were about that task since its attempt began. */
  iteration: number;
  /** What else was asked about that task since its attempt began, with the times. */
  asked?: { at: string; text: string }[];
  /** What the agent answered while no attempt was open, at the end of which iteration. */
  said?: { at: string; text: string; iteration: number }[];
  /** Ids of the records that are in its context. */
  shown: string[];
  /** The records that its task was shown, or would have been shown, which are credited when it is finished. */
  owed?: readonly BriefRecord[];
  /** Its task is in the control group. */
  isHoldout?: boolean;
  /** How long its transcript was at the last prompt, if that alone tells of compactions. */
  transcriptBytes?: number;
  /** The agent's process. */
  runner?: Runner;
  /** The agent has said that it is over. */
  isOver?: boolean;
}

/** The file of a session, which exists until the session is finished. */
export function sessionFile(storeDirectory: string, agent: string, session: string): string {
  return join(storeDirectory, folderName, `${agent}-${fingerprint(session)}.json`);
}

export function newSession(agent: string, session: string): AgentSession {
  return { agent, session, iteration: 0, shown: [] };
}

/** Undefined without a file, or with one that is none of ours. */
export function readSession(path: string): AgentSession | undefined {
  try {
    const content: unknown = JSON.parse(readRegularFile(path).toString("utf8"));
    return isSession(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function isSession(value: unknown): value is AgentSession {
  return (
    isObject(value) &&
    typeof value.agent === "string" &&
    // It is part of a file's name.
    /^[a-z-]+$/.test(value.agent) &&
    typeof value.session === "string" &&
    typeof value.iteration === "number" &&
    Array.isArray(value.shown)
  );
}

export function removeSession(path: string): void {
  rmSync(path, { force: true });
}

/** Forgets a session that is finished, unless something of it still waits: whoever took that away may have been killed. */
export function removeFinished(path: string): void {
  if (listLateFiles(path).length === 0) removeSession(path);
}

/** Whether what failed may be done later: others keep the database busy, or a team's server is away. */
export function isUnreachable({ code }: RalphError): boolean {
  return code === "store-busy" || code === "store-away";
}

export function saveSession(storeDirectory: string, session: AgentSession): void {
  const save = () =>
    replaceOwnFile(
      sessionFile(storeDirectory, session.agent, session.session),
      `${JSON.stringify(session)}\n`,
    );
  try {
    save();
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
    makePrivateDirectory(join(storeDirectory, folderName));
    save();
  }
}

/** The files of sessions that are not finished. */
export function listSessionFiles(storeDirectory: string): string[] {
  const folder = join(storeDirectory, folderName);
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .slice(0, maxFolderEntries)
    .map((name) => join(folder, name));
}

/** Where actions of a session wait to be recorded: a file beside its own, and what was made of that name to read it. */
export function lateFileOf(sessionFile: string): string {
  return `${sessionFile}l`;
}

/** The files of sessions with waiting actions. The folder is listed once, because there may be many sessions. */
export function listWaitingSessions(storeDirectory: string): string[] {
  const folder = join(storeDirectory, folderName);
  const names = new Set(namesIn(folder));
  const late = lateFileOf(".json");
  const waiting = [...names].filter((name) => name.includes(late));
  const sessions = waiting.map((name) => name.slice(0, name.indexOf(late) + ".json".length));
  return unique(sessions)
    .slice(0, maxFolderEntries)
    .filter((name) => names.has(name))
    .map((name) => join(folder, name));
}

/** Some of them may be of processes that were killed. */
export function listLateFiles(sessionFile: string): string[] {
  const folder = dirname(sessionFile);
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => path.startsWith(lateFileOf(sessionFile)));
}

export function hasLateActions(storeDirectory: string, { agent, session }: AgentSession): boolean {
  return listLateFiles(sessionFile(storeDirectory, agent, session)).length > 0;
}

/** Whether a session may have been left unfinished: a quick look, without asking the system for its processes. */
export function mayBeOver(storeDirectory: string): boolean {
  return listSessionFiles(storeDirectory).some((path) => isLeft(readSession(path)));
}

/** The same, or has done something that is still to be recorded. */
export function mayBeLeft(storeDirectory: string): boolean {
  return listWaitingSessions(storeDirectory).length > 0 || mayBeOver(storeDirectory);
}

function isLeft(session: AgentSession | undefined): boolean {
  return session === undefined || session.isOver === true || !isThere(session.runner?.pid);
}

function isThere(pid: number | undefined): boolean {
  if (pid === undefined) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
