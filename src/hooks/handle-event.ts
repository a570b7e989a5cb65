import { lstatSync } from "node:fs";
import { join } from "node:path";
import { lazyModule } from "../domain/lazy-module.js";
import type { Memory } from "../memory/memory.js";
import { runsOf } from "../memory/runs/make-run-verbs.js";
import type { HookCall } from "./hook-event.js";
import { isPrompt } from "./is-prompt.js";
import { folderName, readSession, sessionFile } from "./session-file.js";

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
const going = lazyModule(() => import("./work/go-on.js"));

/** What is longer was pasted: each word more takes time, and the agent waits. */
const maxPrompt = 20_000;

/** Does with the memory what an event asks for, and returns what the agent is told. */
export async function handleEvent(context: HookContext, { session: id, event }: HookCall): Promise<string> {
  const { agent, storeDirectory } = context;
  refuseLink(join(storeDirectory, folderName));
  const session = readSession(sessionFile(storeDirectory, agent, id));
  const begun = session ?? { agent, session: id, iteration: 0, shown: [] };
  switch (event.kind) {
    case "session-start":
      return telling.startSession(context, begun);
    case "prompt":
      if (!isPrompt(event.text)) return "";
      return telling.takePrompt(context, begun, bothEnds(event.text.trim()));
    case "action": {
      if (session?.taskId === undefined) return "";
      const { taskId, iteration } = session;
      const { idempotency_key: key, duration_ms: _, ...action } = event.action;
      const entry = { ...action, iteration, idempotencyKey: key && `${id}:${key}` };
      const record = () => runsOf(context.memory).logActions(taskId, [entry]);
      await record().catch((error: unknown) => going.goOn(context, { ...session, taskId }, error, record));
      return "";
    }
    case "turn-end":
      if (session?.taskId === undefined) return "";
      await runsOf(context.memory).endTurn(session.taskId, {
        iteration: session.iteration,
        said: event.said,
      });
      return "";
    case "session-end":
      if (session === undefined) return "";
      await finishing.endSession(context.memory, storeDirectory, session);
      return "";
  }
}

/** A repository may bring one that leads to somebody's files, which would be taken for sessions that are over. */
function refuseLink(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${folder} is a link: remove it`);
}

function bothEnds(prompt: string): string {
  if (prompt.length <= maxPrompt) return prompt;
  return `${prompt.slice(0, maxPrompt / 2)}\n…\n${prompt.slice(-maxPrompt / 2)}`;
}
