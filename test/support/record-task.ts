import type { AttemptResult } from "../../src/episodic/attempts/end-attempt.js";
import type { Memory } from "../../src/memory/memory.js";

type Entry = Record<string, unknown>;

const entry = (tool: string, params: object, success: boolean, rest: object = {}): Entry => ({
  timestamp: "2026-01-01T00:00:00.000Z",
  tool,
  params,
  success,
  ...rest,
});

/** Actions as a runner logs them. */
export const logged = {
  fails: (command: string, error: string) => entry("Bash", { command }, false, { error }),
  runs: (command: string) => entry("Bash", { command }, true),
  edits: (path: string, before?: string, after?: string) =>
    entry("Edit", { file_path: path, ...(before && { old_string: before, new_string: after }) }, true),
};

export interface RecordedTry {
  actions?: Entry[];
  end?: Partial<AttemptResult>;
}

/** Records a task with these attempts; each succeeds unless it says otherwise. */
export async function recordTask(
  memory: Memory,
  description: string,
  ...tries: RecordedTry[]
): Promise<string> {
  const { id } = await memory.tasks.init({ description });
  for (const { actions = [], end = {} } of tries) {
    await memory.tasks.start(id, {});
    await memory.tasks.log(id, actions);
    await memory.tasks.complete(id, { outcome: "success", ...end });
  }
  return id;
}
