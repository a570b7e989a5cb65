import { basename } from "node:path";
import { lazyModule } from "../../domain/lazy-module.js";
import type { Runner } from "../../domain/tasks/attempt.js";
import { sessionTaskUuid } from "../../domain/tasks/session-uuid.js";
import type { Memory } from "../../memory/memory.js";
import type { Recall } from "../../memory/recall/recall-input.js";
import { sessionOf } from "../../memory/session-of.js";
import { callingRunner } from "../../processes/runner.js";
import { clipAtWord } from "../../text/clip-at-word.js";
import type { HookContext } from "../handle-event.js";
import type { AgentSession } from "../session-file.js";
import { isNewObjective } from "./new-objective.js";
import { finishOverSessions } from "./over-sessions.js";
import { saveSession } from "./save-session.js";

const startTokens = 1500;
const promptTokens = 800;
const maxObjective = 2000;

const finishing = lazyModule(() => import("./finish-session.js"));

/** The brief of the task at hand, else what is worth knowing about any. */
export async function startSession(context: HookContext, session: AgentSession): Promise<string> {
  const { memory, storeDirectory } = context;
  await finishOverSessions(memory, storeDirectory);
  const { taskId } = session;
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
  const session = await atTask(context, known, prompt);
  const recalled = await recallWithin(context, promptTokens, {
    objective: prompt,
    taskId: session.taskId,
    except: session.shown,
    hasReflections: false,
    // What is like the task was told when it began.
    ...(session.taskId === known.taskId && { hasSimilarTasks: false }),
  });
  saveSession(context.storeDirectory, told(session, recalled));
  return recalled.text;
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

/** The session at the task that a prompt is about, which may be a new one. */
async function atTask(context: HookContext, known: AgentSession, prompt: string): Promise<AgentSession> {
  const { memory, storeDirectory } = context;
  const runner = known.runner ?? callingRunner();
  const isNew = known.objective !== undefined && isNewObjective(known.objective, prompt);
  if (known.taskId !== undefined && !isNew) return { ...known, runner, iteration: known.iteration + 1 };
  if (isNew) await finishing.finishTask(memory, known);
  const objective = clipAtWord(prompt, maxObjective);
  const taskId = await beginTask(context, known.session, objective, runner);
  const session = { ...known, runner, taskId, objective, iteration: 1, ...(isNew && { owed: [] }) };
  saveSession(storeDirectory, session);
  return session;
}

async function beginTask(
  { memory, agent }: HookContext,
  session: string,
  objective: string,
  runner: Runner,
): Promise<string> {
  const uuid = await freeUuid(memory, agent, session);
  const { id } = await memory.tasks.init({ description: objective, agent, tags: ["session"], uuid });
  await memory.tasks.start(id, { agent, runner, hasBrief: false });
  return id;
}

/** As transcripts of the session have it, which may be ingested later. */
async function freeUuid(memory: Memory, agent: string, session: string): Promise<string> {
  for (let index = 0; ; index += 1) {
    const uuid = sessionTaskUuid(agent, session, index);
    const known = await sessionOf(memory).read(
      ({ store }) => store.tasks.findByUuid(uuid),
      () => undefined,
    );
    if (known === undefined) return uuid;
  }
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
