import { lazyModule } from "../../domain/lazy-module.js";
import type { Runner } from "../../domain/tasks/attempt.js";
import { sessionTag, sessionTaskUuid } from "../../domain/tasks/session-uuid.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import { followTopic, topicOfAction } from "../../episodic/tasks/follow-topic.js";
import { listSessionTasks } from "../../episodic/tasks/list-session-tasks.js";
import type { Memory } from "../../memory/memory.js";
import { sessionOf } from "../../memory/session-of.js";
import { taskSession } from "../../memory/task-session.js";
import { callingRunner } from "../../processes/runner.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import { clipAtWord } from "../../text/clip-at-word.js";
import { withoutSecrets } from "../../text/secrets/without-secrets.js";
import type { HookContext } from "../handle-event.js";
import { recordLateActions } from "../late-actions.js";
import type { AgentSession } from "../session-file.js";
import { saveSession } from "./save-session.js";

const finishing = lazyModule(() => import("./finish-session.js"));
const starting = lazyModule(() => import("../../memory/tasks/brief/begin-task.js"));

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
  at = new Date(),
): Promise<AgentSession & { taskId: string }> {
  const { memory, agent, storeDirectory } = context;
  const runner = known.runner ?? callingRunner();
  const current = await currentTask(memory, known);
  const earlier = current === undefined ? await tasksOf(context, known) : [];
  const task = current ?? earlier.at(-1);
  const begun = { ...known, runner, iteration: 1, asked: [] };
  // Another process has begun it, with this very prompt.
  if (task?.created === at.toISOString()) return { ...begun, taskId: task.id };
  if (task === undefined || (await isAboutSomethingElse(memory, task, known, prompt))) {
    if (task !== undefined) await finishing.finishTask(memory, known);
    const index = (current === undefined ? earlier : await tasksOf(context, known)).length;
    const taskId = await beginTask(context, known, { index, prompt, runner, at });
    const session = { ...begun, taskId, ...(task && { owed: [] }) };
    saveSession(storeDirectory, session);
    return session;
  }
  const asked = { at: at.toISOString(), text: await textToKeep(memory, prompt, maxAsked) };
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

/** What a session has to remember of a prompt until its task is recorded. */
export async function leaveForLater(
  memory: Memory,
  known: AgentSession,
  prompt: string,
): Promise<AgentSession> {
  const waiting = { ...known, runner: known.runner ?? callingRunner(), iteration: known.iteration + 1 };
  if (known.taskId !== undefined || known.unbegun !== undefined) return waiting;
  const unbegun = await textToKeep(memory, prompt, maxObjective);
  return { ...waiting, unbegun, unbegunAt: new Date().toISOString() };
}

/** The file of a session is not encrypted, and may be left behind. */
function textToKeep(memory: Memory, prompt: string, length: number): Promise<string> {
  return sessionOf(memory).redacting(() => withoutSecrets(clipAtWord(prompt, length)));
}

/** Begins the task of a session that was not recorded when its prompt came, and records what was done since. */
export async function beginLate(
  context: Pick<HookContext, "memory" | "agent" | "storeDirectory">,
  known: AgentSession,
): Promise<AgentSession> {
  const { unbegun, unbegunAt, ...rest } = known;
  if (unbegun === undefined) return known;
  const { iteration } = known;
  const begun = await takeToTask(context, { ...rest, iteration: 0 }, unbegun, timeOf(unbegunAt));
  const session = { ...begun, iteration };
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
  context: Pick<HookContext, "memory" | "agent">,
  known: AgentSession,
  { index, prompt, runner, at }: { index: number; prompt: string; runner: Runner; at: Date },
): Promise<string> {
  const { memory, agent } = context;
  const uuid = sessionTaskUuid(agent, known.session, index);
  const task = { description: clipAtWord(prompt, maxObjective), agent, tags: [sessionTag], uuid };
  const session = sessionOf(memory);
  return session.redacting(() =>
    taskSession(session).write((shelf) =>
      starting.beginTask({ ...shelf, clock: () => at }, task, { agent, runner }),
    ),
  );
}

/** Not later than now: clocks may be set back. */
function timeOf(text: string | undefined): Date {
  return new Date(Math.min(Date.parse(text ?? "") || Date.now(), Date.now()));
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
