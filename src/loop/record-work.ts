import type { Verification } from "../agents/run-verification.js";
import type { FileEdit } from "../agents/work-diff.js";
import { messageOf } from "../domain/ralph-error.js";
import { type Action, workSources } from "../domain/tasks/action.js";
import { textFromProject } from "../files/relative-path.js";
import type { NewAction } from "../memory/runs/runs.js";
import { clipCheck } from "../text/secrets/clip-output.js";
import { wordsOf } from "./agent-words.js";
import type { LoopContext } from "./loop-context.js";

export interface IterationWork {
  iteration: number;
  /** Found by Git, because the agent reported none. */
  edits: readonly FileEdit[];
  finalText: string;
  /** When the agent ended. */
  agentEnded: string;
  verifications: readonly Verification[];
}

/** Records what the agent does not report: the edits that Git found, and the checks that Ralph ran. */
export async function recordWork(
  { runs, task, runId, root, clock, emit }: LoopContext,
  { iteration, edits, finalText, agentEnded, verifications }: IterationWork,
): Promise<void> {
  const reasoning = wordsOf(finalText);
  const actions: Action[] = [
    ...edits.map(
      ({ path, removed, added }): Action => ({
        timestamp: agentEnded,
        iteration,
        type: "edit",
        tool: "Edit",
        params: { file_path: path, old_string: removed, new_string: added, from: workSources.git },
        success: true,
        ...(reasoning !== "" && { reasoning }),
      }),
    ),
    ...verifications
      // A stopped check says nothing.
      .filter(({ endedBy }) => endedBy !== "abort")
      .map(
        ({ command, passed, output }): Action => ({
          timestamp: clock().toISOString(),
          iteration,
          type: "bash",
          tool: "Bash",
          params: { command, from: workSources.check },
          success: passed,
          output: clipCheck(textFromProject(root, output)),
        }),
      ),
  ];
  if (actions.length === 0) return;
  const keyed = actions.map(
    (action, index): NewAction => ({
      ...action,
      idempotencyKey: `${runId}:${iteration}:${action.params.from}:${index}`,
    }),
  );
  try {
    await runs.logActions(task.id, keyed, runId);
  } catch (error) {
    emit({ event: "problem", message: `the edits and checks were not recorded: ${messageOf(error)}` });
  }
}
