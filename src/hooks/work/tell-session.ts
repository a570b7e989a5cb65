import { basename } from "node:path";
import { lazyModule } from "../../domain/lazy-module.js";
import { RalphError } from "../../domain/ralph-error.js";
import { sessionTaskUuid } from "../../domain/tasks/task.js";
import type { Memory } from "../../memory/memory.js";
import { projectOf } from "../../memory/project-of.js";
import type { Recall } from "../../memory/recall/recall-input.js";
import { callingRunner } from "../../processes/runner.js";
import type { HookContext } from "../handle-event.js";
import { type AgentSession, isUnreachable, newSession, readSession, sessionFile } from "../session-file.js";
import { followPrompt } from "./follow-prompt.js";
import { finishOverSessions } from "./over-sessions.js";
import { saveSession } from "./save-session.js";

const tasks = lazyModule(() => import("./session-task.js"));

const startTokens = 1500;
const promptTokens = 800;

/** The brief of the task at hand, else what is worth knowing about any. */
export async function startSession(
  context: HookContext,
  { agent, session: id }: AgentSession,
  isResumed: boolean,
): Promise<string> {
  const { memory, storeDirectory } = context;
  await finishOverSessions(memory, storeDirectory);
  // It may itself have been one of them.
  const known = readSession(sessionFile(storeDirectory, agent, id)) ?? newSession(agent, id);
  const session = isResumed ? await withLastTask(memory, known) : known;
  const recalled = await recallWithin(context, startTokens, {
    ...taskOf(session),
    ...(session.taskId === undefined &&
      (session.unbegun === undefined
        ? { objective: basename(memory.project.root), isOverview: true }
        : { objective: session.unbegun })),
  });
  // A session that was told nothing and did nothing leaves no trace.
  if (recalled.entries.length > 0 || session.taskId !== undefined || session.unbegun !== undefined) {
    projectOf(memory).trust.makeStoreFolder(storeDirectory);
    saveSession(storeDirectory, told({ ...session, runner: callingRunner(), shown: [] }, recalled));
  }
  return recalled.text;
}

/** One that was finished, and is resumed, has had a task. */
async function withLastTask(memory: Memory, session: AgentSession): Promise<AgentSession> {
  if (session.taskId !== undefined || session.unbegun !== undefined) return session;
  const taskId = (await tasks.tasksOf(memory, session)).at(-1)?.id;
  return taskId === undefined ? session : { ...session, taskId };
}

/** The task of a session, or the one that it may have soon: it may be in the control group. */
function taskOf({ agent, session, taskId, taskCount }: AgentSession) {
  return taskId === undefined ? { nextTask: () => sessionTaskUuid(agent, session, taskCount) } : { taskId };
}

/** A prompt is about the session's task, or begins it; the agent gets what is relevant and was not told before. */
export async function takePrompt(context: HookContext, known: AgentSession, prompt: string): Promise<string> {
  const { storeDirectory } = context;
  const session = await followPrompt(context, known, prompt);
  const isFirst = session.unbegunAt !== known.unbegunAt && session.unbegun !== undefined;
  // Whatever happens to this process now, what is done next is recorded as this task.
  if (isFirst) await keepBesideMemory(context, session);
  try {
    const recalled = await recallWithin(context, promptTokens, {
      ...taskOf(session),
      objective: prompt,
      except: session.shown,
      hasReflections: false,
      // What is like the task was told when it began.
      ...(!isFirst && { hasSimilarTasks: false }),
    });
    saveSession(storeDirectory, told(session, recalled));
    return recalled.text;
  } catch (error) {
    if (!isFirst) saveSession(storeDirectory, session);
    throw error;
  }
}

/** Only where the memory may be opened: its folder may lead out of the project. That it is busy does not matter. */
async function keepBesideMemory(
  { memory, storeDirectory }: HookContext,
  session: AgentSession,
): Promise<void> {
  try {
    await projectOf(memory).openStore();
  } catch (error) {
    if (error instanceof RalphError && isUnreachable(error)) saveSession(storeDirectory, session);
    throw error;
  }
  saveSession(storeDirectory, session);
}

/** The session with what it was told. */
function told(session: AgentSession, { entries, records, isHoldout }: Recall): AgentSession {
  return {
    ...session,
    shown: [...session.shown, ...entries.map(({ id }) => id)],
    owed: [...(session.owed ?? []), ...records],
    isHoldout,
  };
}

/** A brief that the agent takes as a whole: some cut what is too long. What it is told is recorded when its task is finished. */
async function recallWithin(
  { memory, maxContext }: HookContext,
  budgetTokens: number,
  input: Parameters<Memory["recall"]>[0],
): Promise<Recall> {
  const recall = (tokens: number) => memory.recall({ ...input, budgetTokens: tokens, isRecorded: false });
  const recalled = await recall(budgetTokens);
  if (recalled.text.length <= maxContext) return recalled;
  return recall(Math.floor((budgetTokens * maxContext) / recalled.text.length / 1.2));
}
