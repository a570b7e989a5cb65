import { RalphError } from "../../domain/ralph-error.js";

export function noteNotFound(id: string): RalphError {
  return new RalphError("not-found", `Memory not found: ${id}`, {
    hint: '"ralph memory list" shows the ids; your own notes need --global',
  });
}
