import { numberOfTaskId, sessionTag, sessionTaskUuid } from "../domain/tasks/task.js";
import { listSessionTasks } from "../episodic/history/query-history.js";
import { followTopic, type Topic, topicOfAction } from "../episodic/tasks/follow-topic.js";
import type { OpenProject } from "../memory/project/open-project.js";
import { taskAccess } from "../memory/project/task-context.js";
import { beginTask } from "../memory/tasks/start-task.js";
import type { TaskVerbs } from "../memory/tasks/tasks.js";
import type { StoredTask } from "../store/repositories/tasks/tasks.js";
import type { HookContext } from "./handle-event.js";
import { recordLateActions } from "./record-action.js";
import { type AgentSession, hasLateActions, readSession, saveSession, sessionFile } from "./session-files.js";

export type SessionWithTask = AgentSession & { taskId: string };

/**
 * Records the task that a session's prompt began, now that something is done about it, and the actions that wait. Several hooks
 * may do so at once, and each may be killed at any moment: the task is known by its UUID, or by the time of its prompt.
 */
export async function recordTask(context: HookContext, known: AgentSession): Promise<SessionWithTask> {
  const session = await withTask(context, known);
  const path = sessionFile(context.storeDirectory, known.agent, known.session);
  // A prompt about something else may have come meanwhile.
  if (readSession(path)?.unbegunAt === known.unbegunAt) saveSession(context.storeDirectory, session);
  await recordLateActions(context, session);
  return session;
}

/** The session with its task, if something was done that could not be recorded before. */
export async function withLateTask(context: HookContext, known: AgentSession): Promise<AgentSession> {
  if (known.unbegun === undefined || !hasLateActions(context.storeDirectory, known)) return known;
  return recordTask(context, known);
}

async function withTask({ project, tasks }: HookContext, known: AgentSession): Promise<SessionWithTask> {
  const { unbegun = "", unbegunAt, taskCount, ...session } = known;
  const at = timeOf(unbegunAt);
  // Whether it was resumed is not known if its end was not seen.
  const earlier = taskCount === undefined ? await tasksOf(project, known) : [];
  const last = earlier.at(-1);
  if (last?.created === at.toISOString()) return { ...session, taskId: last.id };
  if (last !== undefined && !(await isAboutSomethingElse(tasks, last, { ...known, asked: [] }, unbegun)))
    return {
      ...session,
      taskId: last.id,
      asked: [{ at: at.toISOString(), text: unbegun }, ...(session.asked ?? [])],
    };
  const { agent, session: id, runner } = known;
  const task = {
    ...{ description: unbegun, agent, tags: [sessionTag] },
    uuid: sessionTaskUuid(agent, id, taskCount ?? earlier.length),
  };
  const taskId = await taskAccess(project).write((context) =>
    beginTask({ ...context, clock: () => at }, task, { agent, runner }),
  );
  return { ...session, taskId };
}

/** Not later than now: clocks may be set back. */
function timeOf(text: string | undefined): Date {
  return new Date(Math.min(Date.parse(text ?? "") || Date.now(), Date.now()));
}

/** The tasks that a session had so far: one that was resumed has had some before, and its file is gone. */
export function tasksOf(project: OpenProject, { agent, session }: AgentSession): Promise<StoredTask[]> {
  return project.read(
    ({ store }) => listSessionTasks(store, agent, session),
    () => [],
  );
}

/** Undefined if the session has none, or it was removed. */
export async function findTask(
  project: OpenProject,
  { taskId }: AgentSession,
): Promise<StoredTask | undefined> {
  const number = numberOfTaskId(taskId ?? "");
  if (number === undefined) return undefined;
  return project.read(
    ({ store }) => store.tasks.find(number),
    () => undefined,
  );
}

/** Whether a prompt has nothing to do with one that nothing was done about, and what was said since. */
export function isOffTopic(first: string, session: AgentSession, prompt: string): boolean {
  return topicOf(first, session).isLeftBy(prompt);
}

/** What was done about a task is read only for a prompt that its objective does not explain. */
export async function isAboutSomethingElse(
  tasks: Pick<TaskVerbs, "history">,
  { id, description }: StoredTask,
  session: AgentSession,
  prompt: string,
): Promise<boolean> {
  const topic = topicOf(description, session);
  if (!topic.isLeftBy(prompt)) return false;
  const { attempts } = await tasks.history(id);
  topic.add(() =>
    attempts.flatMap(({ actions, results, milestones }) => [
      ...actions.map(topicOfAction),
      ...results.flatMap(({ said }) => said ?? []),
      ...milestones.flatMap(({ details }) => details ?? []),
    ]),
  );
  return topic.isLeftBy(prompt);
}

function topicOf(first: string, { asked = [], said = [] }: AgentSession): Topic {
  const topic = followTopic(first);
  topic.add(() => [...asked, ...said].map(({ text }) => text));
  return topic;
}
