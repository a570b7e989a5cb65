import { uuidFrom } from "../uuid-from.js";

/** The UUID of the task that a session of an agent is, or of a later one in the same session. */
export function sessionTaskUuid(agent: string, sessionId: string, index = 0): string {
  return uuidFrom(`session ${agent} ${sessionId} ${index}`);
}

/** The tag of a task that is a session of an agent, which nobody has judged. */
export const sessionTag = "session";
