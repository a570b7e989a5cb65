import { lazyModule } from "../domain/lazy-module.js";
import type { Memory } from "../memory/memory.js";
import { runsOf } from "../memory/runs/make-run-verbs.js";
import type { HookCall } from "./hook-event.js";
import { isPrompt } from "./is-prompt.js";
import { mayBeOver } from "./may-be-over.js";
import { type AgentSession, readSession, sessionFile } from "./session-file.js";

export interface HookContext {
  memory: Memory;
  agent: string;
  storeDirectory: string;
  /** Characters of context that the agent takes. */
  maxContext: number;
}

// Most events only record something, and load nothing but what that takes.
const telling = lazyModule(() => import("./work/tell-session.js"));
const finishing = lazyModule(() => import("./work/finish-session.js"));

/** The session as its agent's transcript shows it. */
async function seeTranscript(session: AgentSession, path = ""): Promise<AgentSession> {
  return path === ""
    ? session
    : (await import("./work/follow-transcript.js")).followTranscript(session, path);
}

/** Does with the memory what an event asks for, and returns what the agent is told. */
export async function handleEvent(context: HookContext, { session: id, event }: HookCall): Promise<string> {
  const { agent, storeDirectory } = context;
  const session = readSession(sessionFile(storeDirectory, agent, id));
  const begun = session ?? { agent, session: id, iteration: 0, shown: [] };
  switch (event.kind) {
    case "session-start":
      return telling.startSession(context, begun);
    case "prompt":
      if (!isPrompt(event.text)) return "";
      return telling.takePrompt(context, await seeTranscript(begun, event.transcript), event.text.trim());
    case "action": {
      if (session?.taskId === undefined) return "";
      const { idempotency_key: key, duration_ms: _, ...action } = event.action;
      const idempotencyKey = key && `${id}:${key}`;
      await runsOf(context.memory).logActions(session.taskId, [
        { ...action, iteration: session.iteration, idempotencyKey },
      ]);
      return "";
    }
    case "turn-end":
      if (session?.taskId === undefined) return "";
      await context.memory.tasks.endIteration(session.taskId, {
        iteration: session.iteration,
        ...(event.said !== "" && { said: event.said }),
      });
      // Nobody waits for an answer now: the time to do what other sessions have left.
      if (mayBeOver(storeDirectory)) await finishing.finishOverSessions(context.memory, storeDirectory);
      return "";
    case "session-end":
      if (session === undefined) return "";
      await finishing.endSession(context.memory, storeDirectory, session);
      return "";
  }
}
