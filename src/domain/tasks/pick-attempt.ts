import { counted } from "../../text/counted.js";
import { RalphError } from "../ralph-error.js";
import type { Task } from "./task.js";

/** An attempt of a task by its number, the current one by default; it must exist. */
export function pickAttempt<Attempt extends { id: number }>(
  task: Pick<Task, "id" | "current_attempt">,
  attempts: readonly Attempt[],
  given?: number,
): Attempt {
  const id = given ?? task.current_attempt;
  const attempt = attempts.find((candidate) => candidate.id === id);
  if (attempt !== undefined) return attempt;
  if (attempts.length === 0 && given === undefined)
    throw new RalphError("not-found", `${task.id} has no attempts yet`, {
      hint: `"ralph task start ${task.id}" begins one`,
    });
  const hint =
    attempts.length === 0 ? "it has no attempts yet" : `it has ${counted(attempts.length, "attempt")}`;
  throw new RalphError("not-found", `${task.id} has no attempt ${id}`, { hint });
}
