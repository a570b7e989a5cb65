import { basename } from "node:path";
import type { Runner } from "../domain/tasks/attempt.js";
import type { Memory } from "../memory/memory.js";
import type { Recall } from "../memory/recall/recall-input.js";
import { runsOf } from "../memory/runs/make-run-verbs.js";
import { clipAtWord } from "../text/clip-at-word.js";
import { finishOverSessions, finishTask } from "./finish-session.js";
import type { HookCall } from "./hook-event.js";
import { isPrompt } from "./is-prompt.js";
import { type AgentSession, readSession, removeSession, saveSession, sessionFile } from "./session-file.js";

export interface HookContext {
  memory: Memory;
  agent: string;
  storeDirectory: string;
  /** The agent's process. */
  runner: Runner;
  /** Characters of context that the agent takes. */
  maxContext: number;
}

const startTokens = 1500;
const promptTokens = 800;
const maxObjective = 2000;

/** Does with the memory what an event asks for, and returns what the agent is told. */
export async function handleEvent(context: HookContext, { session: id, event }: HookCall): Promise<string> {
  const { agent, storeDirectory } = context;
  const path = sessionFile(storeDirectory, agent, id);
  const session = readSession(path);
  switch (event.kind) {
    case "session-start":
      return startSession(context, session ?? { agent, session: id, iteration: 0, shown: [] });
    case "prompt":
      if (!isPrompt(event.text)) return "";
      return takePrompt(
        context,
        session ?? { agent, session: id, iteration: 0, shown: [] },
        event.text.trim(),
      );
    case "action":
      if (session?.taskId === undefined) return "";
      await runsOf(context.memory).logActions(session.taskId, [
        {
          ...withoutKey(event.action),
          iteration: session.iteration,
          idempotencyKey: event.action.idempotency_key && `${id}:${event.action.idempotency_key}`,
        },
      ]);
      return "";
    case "turn-end":
      if (session?.taskId === undefined) return "";
      await context.memory.tasks.endIteration(session.taskId, {
        iteration: session.iteration,
        ...(event.said !== "" && { said: event.said }),
      });
      return "";
    case "session-end":
      if (session === undefined) return "";
      // Said first: the agent may not wait for the rest, which the next session then does.
      saveSession(storeDirectory, { ...session, isOver: true });
      await finishTask(context.memory, session);
      removeSession(path);
      return "";
  }
}

function withoutKey<Given extends { idempotency_key?: unknown; duration_ms?: unknown }>({
  idempotency_key: _key,
  duration_ms: _duration,
  ...action
}: Given) {
  return action;
}

/** The brief of the task at hand, else of what was worked on last. */
async function startSession(context: HookContext, session: AgentSession): Promise<string> {
  const { memory, storeDirectory, runner } = context;
  await finishOverSessions(memory, storeDirectory);
  const [last] = session.taskId === undefined ? await memory.tasks.list({ limit: 1 }) : [];
  const objective = last?.description ?? basename(memory.project.root);
  const recalled = await recallWithin(context, startTokens, {
    ...(session.taskId === undefined ? { objective } : { taskId: session.taskId }),
    notes: "all",
  });
  saveSession(storeDirectory, { ...session, runner, shown: recalled.entries.map(({ id }) => id) });
  return recalled.text;
}

async function takePrompt(context: HookContext, known: AgentSession, prompt: string): Promise<string> {
  const { memory, agent, storeDirectory, runner } = context;
  const isNew = await isAboutSomethingNew(memory, known, prompt);
  if (isNew) await finishTask(memory, known);
  const taskId = known.taskId === undefined || isNew ? await beginTask(context, prompt) : known.taskId;
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

  async function beginTask({ memory: { tasks } }: HookContext, text: string): Promise<string> {
    const { id } = await tasks.init({
      description: clipAtWord(text, maxObjective),
      agent,
      tags: ["session"],
    });
    await tasks.start(id, { agent, runner, hasBrief: false });
    return id;
  }
}

async function isAboutSomethingNew(
  memory: Memory,
  { taskId }: AgentSession,
  prompt: string,
): Promise<boolean> {
  if (taskId === undefined) return false;
  const { isNewObjective } = await import("./new-objective.js");
  const { description } = await memory.tasks.history(taskId);
  return isNewObjective(description, prompt);
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
