import { RalphError } from "../../domain/ralph-error.js";

export function noteNotFound(id: string): RalphError {
  return new RalphError("not-found", `Memory not found: ${id}`, {
    hint: 'list the ids with "ralph memory list"; changing your own notes needs --global',
  });
}
