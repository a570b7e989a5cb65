import { readPrompt } from "../domain/tasks/agent-text.js";
import { actionFromProject } from "../files/relative-path.js";
import type { OpenProject } from "../memory/project/open-project.js";
import { type RunVerbs, runVerbs } from "../memory/runs/runs.js";
import type { TaskVerbs } from "../memory/tasks/tasks.js";
import { awayOrOwnTasks } from "../memory/team/route-tasks.js";
import { endSession, endTurn, finishOverSessions } from "./finish-session.js";
import type { HookCall } from "./hook-formats.js";
import { contextAtStart, contextForPrompt, followTranscript } from "./prompt-context.js";
import { keepAction, recordAction } from "./record-action.js";
import { mayBeOver, newSession, readSession, sessionFile } from "./session-files.js";

/** What hooks work with. */
export interface HookContext {
  project: OpenProject;
  tasks: TaskVerbs;
  runs: RunVerbs;
  agent: string;
  storeDirectory: string;
  /** Characters of context that the agent takes. */
  maxContext: number;
}

export async function hookContext(
  project: OpenProject,
  { agent = "", maxContext = Number.POSITIVE_INFINITY }: { agent?: string; maxContext?: number } = {},
): Promise<HookContext> {
  const { storeDirectory } = await project.place();
  return {
    ...{ project, agent, maxContext, storeDirectory },
    tasks: awayOrOwnTasks(project),
    runs: runVerbs(project),
  };
}

/** What is longer was pasted: each word more takes time, and the agent waits. */
const maxPrompt = 20_000;

/** How long an action may take to be recorded, from when this was loaded; the whole hook has hardly longer. */
const patienceMs = 1500;
const loadedMs = performance.now();

/** Does with the memory what an event asks for, and returns the context that the agent gets. */
export async function handleEvent(
  context: HookContext,
  { session: id, event, folder }: HookCall,
): Promise<string> {
  const { agent, project, storeDirectory } = context;
  const session = readSession(sessionFile(storeDirectory, agent, id));
  const begun = session ?? newSession(agent, id);
  switch (event.kind) {
    case "session-start":
      return contextAtStart(context, begun, event.isResumed);
    case "prompt": {
      const prompt = readPrompt(bothEnds(event.text));
      if (prompt === undefined) return "";
      const { transcript } = event;
      return contextForPrompt(context, transcript ? followTranscript(begun, transcript) : begun, prompt.text);
    }
    case "action": {
      if (session === undefined) return "";
      const own = actionFromProject(project.root, event.action, folder);
      const { idempotency_key: key, duration_ms: _, ...action } = own;
      const entry = { ...action, iteration: session.iteration, idempotencyKey: key && `${id}:${key}` };
      if ((await inTime(recordAction(context, session, entry))) || !key) return "";
      // Should it be recorded after all, its key shows that it is the same.
      keepAction(context, session, entry);
      return "";
    }
    case "turn-end": {
      if (session === undefined) return "";
      await endTurn(context, session, event.said);
      // Nobody waits for an answer now: the time to do what other sessions have left.
      if (mayBeOver(storeDirectory)) await finishOverSessions(context);
      return "";
    }
    case "session-end":
      if (session !== undefined) await endSession(context, session);
      return "";
  }
}

/** Whether something is done before the agent stops waiting, which may be too short on a very busy machine. */
async function inTime(work: Promise<unknown>): Promise<boolean> {
  const late = new Promise<boolean>((answer) => {
    setTimeout(() => answer(false), loadedMs + patienceMs - performance.now()).unref();
  });
  return Promise.race([work.then(() => true), late]);
}

function bothEnds(prompt: string): string {
  if (prompt.length <= maxPrompt) return prompt;
  return `${prompt.slice(0, maxPrompt / 2)}\n…\n${prompt.slice(-maxPrompt / 2)}`;
}
