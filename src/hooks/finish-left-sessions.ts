import { RalphError } from "../domain/ralph-error.js";
import type { Memory } from "../memory/memory.js";
import { projectOf } from "../memory/project-of.js";
import { mayBeLeft } from "./session-files.js";

/** Does what sessions of agents have left unfinished, such as one whose agent was killed, so that the next command sees it done. */
export async function finishLeftSessions(memory: Memory): Promise<void> {
  try {
    const project = projectOf(memory);
    const { storeDirectory } = await project.place();
    if (!mayBeLeft(storeDirectory)) return;
    const [{ hookContext }, { finishOverSessions, recordWaiting }] = await Promise.all([
      import("./handle-event.js"),
      import("./finish-session.js"),
    ]);
    await project.redacting(async () => {
      const context = await hookContext(project);
      await finishOverSessions(context);
      await recordWaiting(context);
    });
  } catch (error) {
    // What is wrong with the memory is reported by the command itself.
    if (!(error instanceof RalphError)) throw error;
  }
}
