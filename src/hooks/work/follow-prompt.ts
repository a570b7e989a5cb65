import { lazyModule } from "../../domain/lazy-module.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Memory } from "../../memory/memory.js";
import { projectOf } from "../../memory/project-of.js";
import { callingRunner } from "../../processes/runner.js";
import { clipAtWord } from "../../text/clip-at-word.js";
import { redact } from "../../text/secrets/redact.js";
import type { HookContext } from "../handle-event.js";
import { hasLateActions } from "../late-actions.js";
import { type AgentSession, isUnreachable } from "../session-file.js";

const finishing = lazyModule(() => import("./finish-session.js"));
const beginning = lazyModule(() => import("./begin-task.js"));
// A first prompt asks nothing of them.
const tasks = lazyModule(() => import("./session-task.js"));

const maxObjective = 2000;
const maxAsked = 500;
const keptAsked = 20;

/**
 * The session after a prompt, which goes on with its task or begins another. The first prompt of a session asks nothing of the
 * database: its task is recorded once something is done about it. What cannot be told while the database is out of reach is
 * taken to go on.
 */
export async function followPrompt(
  context: HookContext,
  given: AgentSession,
  prompt: string,
): Promise<AgentSession> {
  const { memory } = context;
  const known = { ...given, runner: given.runner ?? callingRunner() };
  try {
    const session = hasToBegin(context, known) ? await beginning.beginTask(context, known) : known;
    if (session.unbegun !== undefined && !(await tasks.isOffTopic(session.unbegun, session, prompt)))
      return await withFurther(memory, session, prompt);
    if (session.taskId === undefined) return await withFirst(memory, session, prompt);
    return await goOnOrTurnAway(context, session, prompt);
  } catch (error) {
    if (!(error instanceof RalphError) || !isUnreachable(error)) throw error;
    return known.taskId === undefined && known.unbegun === undefined
      ? withFirst(memory, known, prompt)
      : withFurther(memory, known, prompt);
  }
}

/** Something was done that could not be recorded. */
function hasToBegin({ storeDirectory }: HookContext, session: AgentSession): boolean {
  return session.unbegun !== undefined && hasLateActions(storeDirectory, session);
}

async function goOnOrTurnAway(
  { memory }: HookContext,
  session: AgentSession,
  prompt: string,
): Promise<AgentSession> {
  const task = await tasks.findTask(memory, session);
  if (task === undefined) return withFirst(memory, session, prompt);
  if (await tasks.isAboutSomethingElse(memory, task, session, prompt)) {
    await finishing.finishTask(memory, session);
    const taskCount = (await tasks.tasksOf(memory, session)).length;
    return withFirst(memory, { ...session, taskCount, owed: [] }, prompt);
  }
  return withFurther(memory, session, prompt);
}

/** A session whose next task begins with a prompt. One that nothing was done about is forgotten. */
async function withFirst(memory: Memory, session: AgentSession, prompt: string): Promise<AgentSession> {
  const { taskId: _, asked: _asked, said: _said, ...rest } = session;
  const unbegun = await textToKeep(memory, prompt, maxObjective);
  return { ...rest, unbegun, unbegunAt: new Date().toISOString(), iteration: 1 };
}

async function withFurther(memory: Memory, session: AgentSession, prompt: string): Promise<AgentSession> {
  const asked = { at: new Date().toISOString(), text: await textToKeep(memory, prompt, maxAsked) };
  return {
    ...session,
    iteration: session.iteration + 1,
    asked: [...(session.asked ?? []), asked].slice(-keptAsked),
  };
}

/** The file of a session is not encrypted, and may be left behind. */
function textToKeep(memory: Memory, prompt: string, length: number): Promise<string> {
  return projectOf(memory).redacting(async () => redact(clipAtWord(prompt, length)).text);
}
