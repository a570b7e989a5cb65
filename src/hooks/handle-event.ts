import { lazyModule } from "../domain/lazy-module.js";
import { readPrompt } from "../domain/tasks/agent-text.js";
import { actionFromProject } from "../files/relative-path.js";
import type { Memory } from "../memory/memory.js";
import type { HookCall } from "./hook-event.js";
import { mayBeOver } from "./may-be-over.js";
import { type AgentSession, newSession, readSession, sessionFile } from "./session-file.js";

export interface HookContext {
  memory: Memory;
  agent: string;
  storeDirectory: string;
  /** Characters of context that the agent takes. */
  maxContext: number;
}

// Most events only record something, and load nothing but what that takes.
const ending = lazyModule(() => import("./work/end-turn.js"));
const telling = lazyModule(() => import("./work/tell-session.js"));
const finishing = lazyModule(() => import("./work/finish-session.js"));
const leaving = lazyModule(() => import("./work/over-sessions.js"));
const going = lazyModule(() => import("./work/go-on.js"));
const runs = lazyModule(() => import("../memory/runs/runs.js"));

/** What is longer was pasted: each word more takes time, and the agent waits. */
const maxPrompt = 20_000;

/** How long an action may take to be recorded, from when this was loaded; the whole hook has hardly longer. */
const patienceMs = 1500;
const loadedMs = performance.now();

/** Does with the memory what an event asks for, and returns what the agent is told. */
export async function handleEvent(
  context: HookContext,
  { session: id, event, folder }: HookCall,
): Promise<string> {
  const { agent, storeDirectory } = context;
  const session = readSession(sessionFile(storeDirectory, agent, id));
  const begun = session ?? newSession(agent, id);
  switch (event.kind) {
    case "session-start":
      return telling.startSession(context, begun, event.isResumed);
    case "prompt": {
      const prompt = readPrompt(bothEnds(event.text));
      if (prompt === undefined) return "";
      return telling.takePrompt(context, await seeTranscript(begun, event.transcript), prompt.text);
    }
    case "action": {
      if (session === undefined) return "";
      const { taskId, iteration } = session;
      const told = actionFromProject(context.memory.project.root, event.action, folder);
      const { idempotency_key: key, duration_ms: _, ...action } = told;
      const entry = { ...action, iteration, idempotencyKey: key && `${id}:${key}` };
      const recording =
        taskId === undefined
          ? going.beginWith(context, session, entry)
          : runs
              .runsOf(context.memory)
              .then((verbs) => verbs.logActions(taskId, [entry]))
              .catch((error: unknown) => going.goOn(context, { ...session, taskId }, { error, entry }));
      if ((await inTime(recording)) || !key) return "";
      // Should it be recorded after all, its key tells that it is the same.
      await going.keepAction(context, session, entry);
      return "";
    }
    case "turn-end": {
      if (session === undefined) return "";
      await ending.endTurn(context, session, event.said);
      // Nobody waits for an answer now: the time to do what other sessions have left.
      if (mayBeOver(storeDirectory)) await leaving.finishOverSessions(context.memory, storeDirectory);
      return "";
    }
    case "session-end":
      if (session === undefined) return "";
      await finishing.endSession(context.memory, storeDirectory, session);
      return "";
  }
}

/** Whether something is done before the agent waits no longer, as it may not be on a machine that is very busy. */
async function inTime(work: Promise<unknown>): Promise<boolean> {
  const late = new Promise<boolean>((tell) => {
    setTimeout(() => tell(false), loadedMs + patienceMs - performance.now()).unref();
  });
  return Promise.race([work.then(() => true), late]);
}

/** The session as its agent's transcript shows it. */
async function seeTranscript(session: AgentSession, path = ""): Promise<AgentSession> {
  return path === ""
    ? session
    : (await import("./work/follow-transcript.js")).followTranscript(session, path);
}

function bothEnds(prompt: string): string {
  if (prompt.length <= maxPrompt) return prompt;
  return `${prompt.slice(0, maxPrompt / 2)}\n…\n${prompt.slice(-maxPrompt / 2)}`;
}
