import { closeSync, fstatSync, readSync } from "node:fs";
import { basename } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { sessionTaskUuid } from "../domain/tasks/task.js";
import { openRegularFile } from "../files/read-regular-file.js";
import { recall } from "../memory/recall/recall.js";
import type { Recall, RecallInput } from "../memory/recall/recall-input.js";
import { callingRunner } from "../processes/runner.js";
import { clipAtWord } from "../text/clip-at-word.js";
import { redact } from "../text/secrets/redact.js";
import { finishOverSessions, finishTask } from "./finish-session.js";
import type { HookContext } from "./handle-event.js";
import {
  type AgentSession,
  isUnreachable,
  newSession,
  readSession,
  saveSession,
  sessionFile,
} from "./session-files.js";
import { findTask, isAboutSomethingElse, isOffTopic, tasksOf, withLateTask } from "./session-task.js";

const startTokens = 1500;
const promptTokens = 800;
const maxObjective = 2000;
const maxAsked = 500;
const keptAsked = 20;

/** The context for a session that starts: the brief of the task at hand, else an overview. */
export async function contextAtStart(
  context: HookContext,
  { agent, session: id }: AgentSession,
  isResumed: boolean,
): Promise<string> {
  const { project, storeDirectory } = context;
  await finishOverSessions(context);
  // It may itself have been one of them.
  const known = readSession(sessionFile(storeDirectory, agent, id)) ?? newSession(agent, id);
  const session = isResumed ? await withLastTask(context, known) : known;
  const recalled = await recallWithin(context, startTokens, {
    ...taskOf(session),
    ...(session.taskId === undefined &&
      (session.unbegun === undefined
        ? { objective: basename(project.root), isOverview: true }
        : { objective: session.unbegun })),
  });
  // A session that was shown nothing and did nothing leaves no trace.
  if (recalled.entries.length > 0 || session.taskId !== undefined || session.unbegun !== undefined) {
    project.trust.makeStoreFolder(storeDirectory);
    saveSession(storeDirectory, withShown({ ...session, runner: callingRunner(), shown: [] }, recalled));
  }
  return recalled.text;
}

/** One that was finished, and is resumed, has had a task. */
async function withLastTask({ project }: HookContext, session: AgentSession): Promise<AgentSession> {
  if (session.taskId !== undefined || session.unbegun !== undefined) return session;
  const taskId = (await tasksOf(project, session)).at(-1)?.id;
  return taskId === undefined ? session : { ...session, taskId };
}

/** The task of a session, or the one that it may have soon: it may be in the control group. */
function taskOf({ agent, session, taskId, taskCount }: AgentSession) {
  return taskId === undefined ? { nextTask: () => sessionTaskUuid(agent, session, taskCount) } : { taskId };
}

/** The context for a prompt, which is about the session's task or begins it: what is relevant and was not shown before. */
export async function contextForPrompt(
  context: HookContext,
  known: AgentSession,
  prompt: string,
): Promise<string> {
  const { storeDirectory } = context;
  const session = await withPrompt(context, known, prompt);
  const isFirst = session.unbegunAt !== known.unbegunAt && session.unbegun !== undefined;
  // If this process is killed now, what is done next is still recorded as this task.
  if (isFirst) await saveBesideMemory(context, session);
  try {
    const recalled = await recallWithin(context, promptTokens, {
      ...taskOf(session),
      objective: prompt,
      except: session.shown,
      hasReflections: false,
      // Similar tasks were shown when it began.
      ...(!isFirst && { hasSimilarTasks: false }),
    });
    saveSession(storeDirectory, withShown(session, recalled));
    return recalled.text;
  } catch (error) {
    if (!isFirst) saveSession(storeDirectory, session);
    throw error;
  }
}

/** Only where the memory may be opened: its folder may lead out of the project. A busy one will do. */
async function saveBesideMemory(
  { project, storeDirectory }: HookContext,
  session: AgentSession,
): Promise<void> {
  try {
    await project.openStore();
  } catch (error) {
    if (error instanceof RalphError && isUnreachable(error)) saveSession(storeDirectory, session);
    throw error;
  }
  saveSession(storeDirectory, session);
}

function withShown(session: AgentSession, { entries, records, isHoldout }: Recall): AgentSession {
  return {
    ...session,
    shown: [...session.shown, ...entries.map(({ id }) => id)],
    owed: [...(session.owed ?? []), ...records],
    isHoldout,
  };
}

/** What it shows is recorded when the task is finished. */
function recallWithin(
  { project, maxContext }: HookContext,
  budgetTokens: number,
  input: RecallInput,
): Promise<Recall> {
  return recall(project, { ...input, budgetTokens }, { maxCharacters: maxContext });
}

/**
 * The session after a prompt, which continues its task or begins another. The first prompt of a session asks nothing of the
 * database: its task is recorded once something is done about it. While the database cannot be reached, a prompt continues.
 */
async function withPrompt(context: HookContext, given: AgentSession, prompt: string): Promise<AgentSession> {
  const known = { ...given, runner: given.runner ?? callingRunner() };
  try {
    const session = await withLateTask(context, known);
    if (session.unbegun !== undefined && !isOffTopic(session.unbegun, session, prompt))
      return withFurther(session, prompt);
    if (session.taskId === undefined) return withFirst(session, prompt);
    return await continueOrBegin(context, session, prompt);
  } catch (error) {
    if (!(error instanceof RalphError) || !isUnreachable(error)) throw error;
    return known.taskId === undefined && known.unbegun === undefined
      ? withFirst(known, prompt)
      : withFurther(known, prompt);
  }
}

async function continueOrBegin(
  context: HookContext,
  session: AgentSession,
  prompt: string,
): Promise<AgentSession> {
  const { project, tasks } = context;
  const task = await findTask(project, session);
  if (task === undefined) return withFirst(session, prompt);
  if (!(await isAboutSomethingElse(tasks, task, session, prompt))) return withFurther(session, prompt);
  await finishTask(context, session);
  const taskCount = (await tasksOf(project, session)).length;
  return withFirst({ ...session, taskCount, owed: [] }, prompt);
}

/** A session whose next task begins with a prompt. One that nothing was done about is forgotten. */
function withFirst(session: AgentSession, prompt: string): AgentSession {
  const { taskId: _, asked: _asked, said: _said, ...rest } = session;
  const unbegun = textToKeep(prompt, maxObjective);
  return { ...rest, unbegun, unbegunAt: new Date().toISOString(), iteration: 1 };
}

function withFurther(session: AgentSession, prompt: string): AgentSession {
  const asked = { at: new Date().toISOString(), text: textToKeep(prompt, maxAsked) };
  return {
    ...session,
    iteration: session.iteration + 1,
    asked: [...(session.asked ?? []), asked].slice(-keptAsked),
  };
}

/** The file of a session is not encrypted, and may be left behind. */
function textToKeep(prompt: string, length: number): string {
  return redact(clipAtWord(prompt, length)).text;
}

/** Gemini CLI begins its record of the context anew with this, as it does after a compaction. */
const newContext = '\n{"$set":{"messages":';
/** What one turn writes is far less. */
const maxBytes = 32 * 1024 * 1024;

/** The session after a look at its transcript: after a compaction, nothing that was shown is in the context. */
export function followTranscript(session: AgentSession, path: string): AgentSession {
  try {
    const file = openRegularFile(path);
    try {
      const { size } = fstatSync(file);
      const from = session.transcriptBytes ?? size;
      const hasNewContext = writtenSince(file, from, size).includes(newContext);
      return { ...session, transcriptBytes: size, ...(hasNewContext && { shown: [] }) };
    } finally {
      closeSync(file);
    }
  } catch {
    // Without a transcript, nothing is known of a compaction.
    return session;
  }
}

/** Begins with the end of the line before. */
function writtenSince(file: number, from: number, size: number): Buffer {
  const start = Math.max(0, from - 1, size - maxBytes);
  const bytes = Buffer.alloc(Math.max(0, size - start));
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start));
}
