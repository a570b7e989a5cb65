import { RalphError } from "../../domain/ralph-error.js";
import { counted } from "../../text/counted.js";
import type { Memory } from "../memory.js";

/** The records that a link can join. */
export type LinkableRecords = Pick<Memory, "notes" | "tasks" | "learnings">;

/** The full id of a learning, note, task or attempt, which must exist. Other ids are returned unchanged. */
export async function resolveRecordId(
  { notes, tasks, learnings }: LinkableRecords,
  given: string,
): Promise<string> {
  const id = given.trim();
  if (id === "") throw new RalphError("wrong-use", "The record id is missing");
  if (/^(?:learn-|[0-9a-f]{4,12}$)/i.test(id)) return (await learnings.get(id)).id;
  if (id.startsWith("mem-")) return (await notes.get(id)).id;
  const [, taskId, attempt] = /^(task-\d+)(?:\/(\d+))?$/.exec(id) ?? [];
  if (taskId === undefined) return id;
  const task = await tasks.history(taskId);
  if (attempt === undefined) return task.id;
  if (task.attempts.some((each) => each.id === Number(attempt))) return `${task.id}/${Number(attempt)}`;
  throw new RalphError("not-found", `${task.id} has no attempt ${attempt}`, {
    hint: `it has ${counted(task.attempts.length, "attempt")}`,
  });
}
