import { lazyModule } from "../../domain/lazy-module.js";
import { sessionTag, sessionTaskUuid } from "../../domain/tasks/task.js";
import type { Memory } from "../../memory/memory.js";
import { taskAccess } from "../../memory/project/task-context.js";
import { projectOf } from "../../memory/project-of.js";
import type { HookContext } from "../handle-event.js";
import { recordLateActions } from "../late-actions.js";
import { type AgentSession, readSession, sessionFile } from "../session-file.js";
import { saveSession } from "./save-session.js";
import { isAboutSomethingElse, tasksOf } from "./session-task.js";

const starting = lazyModule(() => import("../../memory/tasks/start-task.js"));

export type SessionWithTask = AgentSession & { taskId: string };

/**
 * Records the task that a session's prompt began, now that something is done about it, and what waits to be recorded. Several hooks
 * may do so at once, and each may be killed at any moment: the task is known by its UUID, or by the time of its prompt.
 */
export async function beginTask(
  { memory, storeDirectory }: Pick<HookContext, "memory" | "storeDirectory">,
  known: AgentSession,
): Promise<SessionWithTask> {
  const session = await withTask(memory, known);
  const path = sessionFile(storeDirectory, known.agent, known.session);
  // A prompt may have come meanwhile, and have turned to something else.
  if (readSession(path)?.unbegunAt === known.unbegunAt) saveSession(storeDirectory, session);
  await recordLateActions(memory, storeDirectory, session);
  return session;
}

async function withTask(memory: Memory, known: AgentSession): Promise<SessionWithTask> {
  const { unbegun = "", unbegunAt, taskCount, ...session } = known;
  const at = timeOf(unbegunAt);
  // Whether it was resumed is not known if its end was not seen.
  const earlier = taskCount === undefined ? await tasksOf(memory, known) : [];
  const last = earlier.at(-1);
  if (last?.created === at.toISOString()) return { ...session, taskId: last.id };
  if (last !== undefined && !(await isAboutSomethingElse(memory, last, { ...known, asked: [] }, unbegun)))
    return {
      ...session,
      taskId: last.id,
      asked: [{ at: at.toISOString(), text: unbegun }, ...(session.asked ?? [])],
    };
  const taskId = await record(memory, known, { index: taskCount ?? earlier.length, at });
  return { ...session, taskId };
}

function record(
  memory: Memory,
  { agent, session: id, unbegun = "", runner }: AgentSession,
  { index, at }: { index: number; at: Date },
): Promise<string> {
  const session = projectOf(memory);
  const task = {
    ...{ description: unbegun, agent, tags: [sessionTag] },
    uuid: sessionTaskUuid(agent, id, index),
  };
  return session.redacting(() =>
    taskAccess(session).write((context) =>
      starting.beginTask({ ...context, clock: () => at }, task, { agent, runner }),
    ),
  );
}

/** Not later than now: clocks may be set back. */
function timeOf(text: string | undefined): Date {
  return new Date(Math.min(Date.parse(text ?? "") || Date.now(), Date.now()));
}
