import type { RalphError } from "../../domain/ralph-error.js";
import { problemAt } from "../problem-at.js";

/** The name of our server in every agent's settings. */
export const serverName = "ralph";

/** The problem that something else has the name. */
export function nameIsTaken(text: string, offset: number): RalphError {
  return problemAt(
    text,
    offset,
    `another server is already named "${serverName}"`,
    "rename or remove it, and run ralph setup again; nothing was changed",
  );
}
