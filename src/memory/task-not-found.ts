import { RalphError } from "../domain/ralph-error.js";

/** For a project that has no memory yet. */
export function taskNotFound(id: string): RalphError {
  return new RalphError("not-found", `Task not found: ${id}`, { hint: 'create one with "ralph task init"' });
}
