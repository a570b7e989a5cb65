import { lazyModule } from "../../domain/lazy-module.js";
import type { Runner } from "../../domain/tasks/attempt.js";
import { sessionTag, sessionTaskUuid } from "../../domain/tasks/session-uuid.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import { followTopic, topicOfAction } from "../../episodic/tasks/follow-topic.js";
import { listSessionTasks } from "../../episodic/tasks/list-session-tasks.js";
import type { Memory } from "../../memory/memory.js";
import { sessionOf } from "../../memory/session-of.js";
import { callingRunner } from "../../processes/runner.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import { clipAtWord } from "../../text/clip-at-word.js";
import type { HookContext } from "../handle-event.js";
import { recordLateActions } from "../late-actions.js";
import type { AgentSession } from "../session-file.js";
import { saveSession } from "./save-session.js";

const finishing = lazyModule(() => import("./finish-session.js"));

const maxObjective = 2000;
const maxAsked = 500;
const keptAsked = 20;

/** The tasks that a session had so far: one that was resumed has had some before, and its file is gone. */
export function tasksOf(
  { memory, agent }: Pick<HookContext, "memory" | "agent">,
  { session }: Pick<AgentSession, "session">,
): Promise<StoredTask[]> {
  return sessionOf(memory).read(
    ({ store }) => listSessionTasks(store, agent, session),
    () => [],
  );
}

/** A prompt goes on with the session's last task, in a further attempt if the one before has ended, or begins another task. */
export async function takeToTask(
  context: Pick<HookContext, "memory" | "agent" | "storeDirectory">,
  known: AgentSession,
  prompt: string,
): Promise<AgentSession & { taskId: string }> {
  const { memory, agent, storeDirectory } = context;
  const runner = known.runner ?? callingRunner();
  const [current, earlier] = await Promise.all([currentTask(memory, known), tasksOf(context, known)]);
  const task = current ?? earlier.at(-1);
  if (task === undefined || (await isAboutSomethingElse(memory, task, known, prompt))) {
    if (task !== undefined) await finishing.finishTask(memory, known);
    const uuid = sessionTaskUuid(agent, known.session, earlier.length);
    const taskId = await beginTask(context, { uuid, prompt, runner });
    const session = { ...known, taskId, runner, iteration: 1, asked: [], ...(task && { owed: [] }) };
    saveSession(storeDirectory, session);
    return session;
  }
  const asked = { at: new Date().toISOString(), text: clipAtWord(prompt, maxAsked) };
  const session = { ...known, taskId: task.id, runner };
  if (task.status === "running")
    return {
      ...session,
      iteration: known.iteration + 1,
      asked: [...(known.asked ?? []), asked].slice(-keptAsked),
    };
  await memory.tasks.start(task.id, { agent, runner, hasBrief: false });
  return { ...session, iteration: (await iterationsOf(memory, task)) + 1, asked: [asked] };
}

/** Begins the task of a session that could not be recorded when its prompt came, and records what was done since. */
export async function beginLate(
  context: Pick<HookContext, "memory" | "agent" | "storeDirectory">,
  known: AgentSession,
): Promise<AgentSession> {
  const { unbegun, ...rest } = known;
  if (unbegun === undefined) return known;
  const { iteration } = known;
  const session = { ...(await takeToTask(context, { ...rest, iteration: 0 }, unbegun)), iteration };
  saveSession(context.storeDirectory, session);
  await recordLateActions(context.memory, context.storeDirectory, session);
  return session;
}

/** Undefined if the session has none, or it was removed. */
async function currentTask(memory: Memory, { taskId }: AgentSession): Promise<StoredTask | undefined> {
  const number = numberOfTaskId(taskId ?? "");
  if (number === undefined) return undefined;
  return sessionOf(memory).read(
    ({ store }) => store.tasks.find(number),
    () => undefined,
  );
}

async function beginTask(
  { memory, agent }: Pick<HookContext, "memory" | "agent">,
  { uuid, prompt, runner }: { uuid: string; prompt: string; runner: Runner },
): Promise<string> {
  const description = clipAtWord(prompt, maxObjective);
  const { id } = await memory.tasks.init({ description, agent, tags: [sessionTag], uuid });
  await memory.tasks.start(id, { agent, runner, hasBrief: false });
  return id;
}

/** What was done about a task is read only for a prompt that its objective does not explain. */
async function isAboutSomethingElse(
  memory: Memory,
  { id, description }: StoredTask,
  { asked = [] }: AgentSession,
  prompt: string,
): Promise<boolean> {
  const topic = followTopic(description);
  topic.add(() => asked.map(({ text }) => text));
  if (!topic.isLeftBy(prompt)) return false;
  const { attempts } = await memory.tasks.history(id);
  topic.add(() =>
    attempts.flatMap(({ actions, results, milestones }) => [
      ...actions.map(topicOfAction),
      ...results.flatMap(({ said }) => said ?? []),
      ...milestones.flatMap(({ details }) => details ?? []),
    ]),
  );
  return topic.isLeftBy(prompt);
}

/** Prompts are counted over all attempts at a task. */
async function iterationsOf(memory: Memory, { id }: StoredTask): Promise<number> {
  const { attempts } = await memory.tasks.history(id);
  return attempts.reduce((most, { execution }) => Math.max(most, execution.iterations), 0);
}
