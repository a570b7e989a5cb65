import { numberOfTaskId } from "../../domain/tasks/task.js";
import { listSessionTasks } from "../../episodic/history/query-history.js";
import { followTopic, type Topic, topicOfAction } from "../../episodic/tasks/follow-topic.js";
import type { Memory } from "../../memory/memory.js";
import { projectOf } from "../../memory/project-of.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { AgentSession } from "../session-file.js";

/** The tasks that a session had so far: one that was resumed has had some before, and its file is gone. */
export function tasksOf(memory: Memory, { agent, session }: AgentSession): Promise<StoredTask[]> {
  return projectOf(memory).read(
    ({ store }) => listSessionTasks(store, agent, session),
    () => [],
  );
}

/** Undefined if the session has none, or it was removed. */
export async function findTask(memory: Memory, { taskId }: AgentSession): Promise<StoredTask | undefined> {
  const number = numberOfTaskId(taskId ?? "");
  if (number === undefined) return undefined;
  return projectOf(memory).read(
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
  memory: Memory,
  { id, description }: StoredTask,
  session: AgentSession,
  prompt: string,
): Promise<boolean> {
  const topic = topicOf(description, session);
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

function topicOf(first: string, { asked = [], said = [] }: AgentSession): Topic {
  const topic = followTopic(first);
  topic.add(() => [...asked, ...said].map(({ text }) => text));
  return topic;
}
