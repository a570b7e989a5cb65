import { messageOf } from "../domain/ralph-error.js";
import { interrupted } from "../domain/tasks/attempt.js";
import type { Reflection } from "../domain/tasks/reflection.js";
import { runEndEffects } from "../domain/tasks/run.js";
import type { LoopContext } from "./loop-context.js";
import type { AttemptRun } from "./run-attempt.js";

/** Records the end of the attempt, learns from it, and updates the continuity file and the ledger. */
export async function afterAttempt(context: LoopContext, attempt: number, run: AttemptRun): Promise<void> {
  const { memory, task, emit, agent } = context;
  const { end, limit, verdict, output, failures, quality, changedFiles, commit, learned } = run;
  const { outcome, status } = runEndEffects[end.kind];
  const { reflection, degraded = [] } = await memory.tasks.complete(task.id, {
    runId: context.runId,
    outcome,
    status,
    reason: end.kind === interrupted || limit !== undefined ? end.kind : `${end.kind}: ${end.evidence}`,
    limit,
    verdict: limit === undefined ? undefined : verdict,
    output,
    failures,
    quality,
    files: changedFiles,
    artifacts: changedFiles,
    gitCommit: commit,
    whatWorked: learned,
  });
  for (const message of degraded) emit({ event: "problem", message });
  emit({ event: "attempt-ended", attempt, end, ...(reflection && { reflection: told(reflection) }) });
  for (const refresh of [
    () => memory.working.updateContinuity({ taskId: task.id }),
    () => memory.working.checkpoint(agent.name, { taskId: task.id }),
  ]) {
    await refresh().catch((error: unknown) => emit({ event: "problem", message: messageOf(error) }));
  }
}

function told({ observation, learning, action_items }: Reflection) {
  return { observation, learning, action_items };
}
