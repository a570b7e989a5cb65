import { rmSync } from "node:fs";
import { join } from "node:path";
import type { BriefRecord } from "../domain/knowledge/brief.js";
import type { RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import type { Runner } from "../domain/tasks/attempt.js";
import { readRegularFile } from "../files/read-regular-file.js";
import { fingerprint } from "../text/fingerprint.js";
import { folderName, listLateFiles } from "./list-session-files.js";

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
