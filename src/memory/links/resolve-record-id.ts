import { RalphError } from "../../domain/ralph-error.js";
import { counted } from "../../text/counted.js";
import type { Memory } from "../memory.js";

/** The records that a link can join. */
export type LinkableRecords = Pick<Memory, "notes" | "tasks" | "learnings" | "skills">;

/** The full id of a learning, note, task or attempt, or the name of a skill; the record must exist. */
export async function resolveRecordId(records: LinkableRecords, given: string): Promise<string> {
  const { notes, tasks, learnings } = records;
  const id = given.trim();
  if (id === "") throw new RalphError("wrong-use", "The record id is missing");
  if (id.startsWith("learn-")) return (await learnings.get(id)).id;
  if (id.startsWith("mem-")) return (await notes.get(id)).id;
  const [, taskId, attempt] = /^(task-\d+)(?:\/(\d+))?$/.exec(id) ?? [];
  if (taskId === undefined) return resolveUnprefixed(records, id);
  const task = await tasks.history(taskId);
  if (attempt === undefined) return task.id;
  if (task.attempts.some((each) => each.id === Number(attempt))) return `${task.id}/${Number(attempt)}`;
  throw new RalphError("not-found", `${task.id} has no attempt ${attempt}`, {
    hint: `it has ${counted(task.attempts.length, "attempt")}`,
  });
}

/** A skill, as briefs refer to it or by its name alone, or a learning without the start of its id. */
async function resolveUnprefixed({ skills, learnings }: LinkableRecords, id: string): Promise<string> {
  const name = id.replace(/^skill:\s*/, "");
  if ((await skills.list()).some((skill) => skill.name === name)) return name;
  if (/^[0-9a-f]{4,12}$/i.test(id)) return (await learnings.get(id)).id;
  throw new RalphError("not-found", `No record has the id ${id}`, {
    hint: 'an id begins with "learn-", "mem-" or "task-" ("task-001/2" is an attempt); "ralph skill list" shows the names of skills',
  });
}
