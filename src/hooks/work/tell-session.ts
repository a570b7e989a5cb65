import { basename } from "node:path";
import type { Memory } from "../../memory/memory.js";
import type { Recall } from "../../memory/recall/recall-input.js";
import { callingRunner } from "../../processes/runner.js";
import type { HookContext } from "../handle-event.js";
import type { AgentSession } from "../session-file.js";
import { finishOverSessions } from "./finish-session.js";
import { saveSession } from "./save-session.js";
import { takeToTask, tasksOf } from "./session-task.js";

const startTokens = 1500;
const promptTokens = 800;

/** The brief of the task at hand, else of what was worked on last. */
export async function startSession(context: HookContext, session: AgentSession): Promise<string> {
  const { memory, storeDirectory } = context;
  await finishOverSessions(memory, storeDirectory);
  // One that was finished, and is resumed, has had a task.
  const taskId = session.taskId ?? (await tasksOf(context, session)).at(-1)?.id;
  const [last] = taskId === undefined ? await memory.tasks.list({ limit: 1 }) : [];
  const objective = last?.description ?? basename(memory.project.root);
  const recalled = await recallWithin(context, startTokens, {
    ...(taskId === undefined ? { objective } : { taskId }),
    notes: "all",
  });
  const shown = recalled.entries.map(({ id }) => id);
  // A session that was told nothing and did nothing leaves no trace.
  if (shown.length > 0 || session.taskId !== undefined)
    saveSession(storeDirectory, { ...session, runner: callingRunner(), shown });
  return recalled.text;
}

/** A prompt is about the session's task, or begins it; the agent gets what is relevant and was not told before. */
export async function takePrompt(context: HookContext, known: AgentSession, prompt: string): Promise<string> {
  const { storeDirectory } = context;
  const session = await takeToTask(context, known, prompt, callingRunner());
  saveSession(storeDirectory, session);
  const recalled = await recallWithin(context, promptTokens, {
    objective: prompt,
    taskId: session.taskId,
    except: known.shown,
    hasReflections: false,
  });
  if (recalled.entries.length > 0)
    saveSession(storeDirectory, {
      ...session,
      shown: [...known.shown, ...recalled.entries.map(({ id }) => id)],
    });
  return recalled.text;
}

/** A brief that the agent takes as a whole: some cut what is too long. */
async function recallWithin(
  { memory, maxContext }: HookContext,
  budgetTokens: number,
  input: Parameters<Memory["recall"]>[0],
): Promise<Recall> {
  const recalled = await memory.recall({ ...input, budgetTokens });
  if (recalled.text.length <= maxContext) return recalled;
  const fitting = Math.floor((budgetTokens * maxContext) / recalled.text.length / 1.2);
  return memory.recall({ ...input, budgetTokens: fitting });
}
