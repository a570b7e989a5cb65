import { basename } from "node:path";
import type { Runner } from "../../domain/tasks/attempt.js";
import { sessionTaskUuid } from "../../domain/tasks/session-uuid.js";
import { getTask } from "../../episodic/tasks/get-task.js";
import type { Memory } from "../../memory/memory.js";
import type { Recall } from "../../memory/recall/recall-input.js";
import { sessionOf } from "../../memory/session-of.js";
import { callingRunner } from "../../processes/runner.js";
import { clipAtWord } from "../../text/clip-at-word.js";
import type { HookContext } from "../handle-event.js";
import type { AgentSession } from "../session-file.js";
import { finishOverSessions, finishTask } from "./finish-session.js";
import { isNewObjective } from "./new-objective.js";
import { saveSession } from "./save-session.js";

const startTokens = 1500;
const promptTokens = 800;
const maxObjective = 2000;

/** The brief of the task at hand, else of what was worked on last. */
export async function startSession(context: HookContext, session: AgentSession): Promise<string> {
  const { memory, storeDirectory } = context;
  await finishOverSessions(memory, storeDirectory);
  const [last] = session.taskId === undefined ? await memory.tasks.list({ limit: 1 }) : [];
  const objective = last?.description ?? basename(memory.project.root);
  const recalled = await recallWithin(context, startTokens, {
    ...(session.taskId === undefined ? { objective } : { taskId: session.taskId }),
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
  const { memory, storeDirectory } = context;
  const runner = callingRunner();
  const isNew = await isAboutSomethingNew(memory, known, prompt);
  if (isNew) await finishTask(memory, known);
  const taskId =
    known.taskId === undefined || isNew
      ? await beginTask(context, known.session, prompt, runner)
      : known.taskId;
  const session: AgentSession = {
    ...known,
    taskId,
    runner,
    iteration: isNew ? 1 : known.iteration + 1,
  };
  saveSession(storeDirectory, session);
  const recalled = await recallWithin(context, promptTokens, {
    objective: prompt,
    taskId,
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

async function beginTask(
  { memory, agent }: HookContext,
  session: string,
  prompt: string,
  runner: Runner,
): Promise<string> {
  const { id } = await memory.tasks.init({
    description: clipAtWord(prompt, maxObjective),
    agent,
    tags: ["session"],
    uuid: await freeUuid(memory, agent, session),
  });
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

async function isAboutSomethingNew(
  memory: Memory,
  { taskId }: AgentSession,
  prompt: string,
): Promise<boolean> {
  if (taskId === undefined) return false;
  // Not its history, which holds all that was done so far.
  const task = await sessionOf(memory).read(
    ({ store }) => getTask(store, taskId),
    () => undefined,
  );
  return task !== undefined && isNewObjective(task.description, prompt);
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
