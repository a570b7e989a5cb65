import { basename } from "node:path";
import { isStoreAway } from "../../domain/is-store-away.js";
import { listSessionTasks } from "../../episodic/tasks/list-session-tasks.js";
import type { Memory } from "../../memory/memory.js";
import type { Recall } from "../../memory/recall/recall-input.js";
import { sessionOf } from "../../memory/session-of.js";
import { callingRunner } from "../../processes/runner.js";
import type { HookContext } from "../handle-event.js";
import type { AgentSession } from "../session-file.js";
import { finishOverSessions } from "./over-sessions.js";
import { saveSession } from "./save-session.js";
import { beginLate, leaveForLater, takeToTask, tasksOf } from "./session-task.js";

const startTokens = 1500;
const promptTokens = 800;

/** The brief of the task at hand, else what is worth knowing about any. */
export async function startSession(
  context: HookContext,
  session: AgentSession,
  isResumed: boolean,
): Promise<string> {
  const { memory, storeDirectory } = context;
  await finishOverSessions(memory, storeDirectory);
  // One that was finished, and is resumed, has had a task.
  const taskId = session.taskId ?? (isResumed ? (await tasksOf(context, session)).at(-1)?.id : undefined);
  const recalled = await recallWithin(
    context,
    startTokens,
    taskId === undefined ? { objective: basename(memory.project.root), isOverview: true } : { taskId },
  );
  // A session that was told nothing and did nothing leaves no trace.
  if (recalled.entries.length > 0 || session.taskId !== undefined)
    saveSession(storeDirectory, told({ ...session, runner: callingRunner(), shown: [] }, recalled));
  return recalled.text;
}

/** A prompt is about the session's task, or begins it; the agent gets what is relevant and was not told before. */
export async function takePrompt(context: HookContext, known: AgentSession, prompt: string): Promise<string> {
  const session = await takeToTaskOrLater(context, known, prompt);
  const recalled = await recallWithin(context, promptTokens, {
    objective: prompt,
    taskId: session.taskId,
    except: session.shown,
    hasReflections: false,
    // What is like the task was told when it began.
    ...(goesOn(known, session) && { hasSimilarTasks: false }),
  });
  saveSession(context.storeDirectory, told(session, recalled));
  return recalled.text;
}

function goesOn(known: AgentSession, session: AgentSession): boolean {
  if (known.unbegun !== undefined) return session.iteration > 1;
  return known.taskId !== undefined && session.taskId === known.taskId;
}

/**
 * The first prompt of a session is answered first: its task is recorded by the next event of the session or the next command. The
 * session remembers what it begins with, as it does while a team's server is away.
 */
async function takeToTaskOrLater(
  context: HookContext,
  known: AgentSession,
  prompt: string,
): Promise<AgentSession> {
  try {
    if (await beginsLater(context, known)) return await leaveForLater(context.memory, known, prompt);
    return await takeToTask(context, await beginLate(context, known), prompt);
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    return leaveForLater(context.memory, known, prompt);
  }
}

/** Not where the task decides what is told, as it may be in the control group, and not where there is no database yet. */
async function beginsLater(context: HookContext, known: AgentSession): Promise<boolean> {
  if (known.taskId !== undefined || known.unbegun !== undefined) return false;
  const { "recall.holdout": share } = await sessionOf(context.memory).settings();
  if (share > 0) return false;
  return sessionOf(context.memory).read(
    async ({ store }) => (await listSessionTasks(store, context.agent, known.session)).length === 0,
    () => false,
  );
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
