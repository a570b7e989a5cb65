import { counted } from "../../text/counted.js";
import { RalphError } from "../ralph-error.js";
import type { Task } from "./task.js";

/** An attempt of a task by its number, the current one by default; it must exist. */
export function pickAttempt<Attempt extends { id: number }>(
  task: Pick<Task, "id" | "current_attempt">,
  attempts: readonly Attempt[],
  id = task.current_attempt,
): Attempt {
  const attempt = attempts.find((candidate) => candidate.id === id);
  if (attempt !== undefined) return attempt;
  const hint =
    attempts.length === 0 ? "it has no attempts yet" : `it has ${counted(attempts.length, "attempt")}`;
  throw new RalphError("not-found", `${task.id} has no attempt ${id}`, { hint });
}
