import type { Run } from "../../domain/tasks/run.js";
import type { Memory } from "../../memory/memory.js";
import type { RunState } from "../../memory/runs/end-run.js";
import { hasSecretCheck, type PausedRun } from "../../memory/runs/paused-runs.js";
import type { RunProgress } from "../../memory/runs/runs.js";
import { runsOf } from "../../memory/runs/runs.js";

/** A run that is not over. */
export interface RunView extends RunProgress {
  id: number;
  taskId: string;
  state: RunState | PausedRun["state"];
  /** Somebody works on it; otherwise it can be gone on with. */
  isActive: boolean;
  agent: string;
  /** When the run began; `started` is when its attempt did. */
  begun: string;
  ended?: string;
  evidence?: string;
  totalIterations: number;
  maxIterations: number;
  maxAttempts: number;
  maxCostUsd?: number;
  verify: string[];
  process: number;
  host: string;
  folder?: string;
  isResumable: boolean;
  /** Processes of its agent that are left. */
  left: number[];
  usage: Run["usage"];
}

/** What is not over: the runs that have not ended, then those that were interrupted. Newest first. */
export async function viewRuns(memory: Memory): Promise<RunView[]> {
  const runs = runsOf(memory);
  const paused = new Map((await runs.listPaused()).map((each) => [each.run.id, each]));
  const views: RunView[] = [];
  for (const run of await runs.list()) {
    const { state, isHeld, left } = await runs.look(run);
    paused.delete(run.id);
    const isResumable = !(await hasSecretCheck(run));
    views.push(toView(run, await runs.progress(run), { state, isActive: isHeld, left, isResumable }));
  }
  for (const { run, state, isResumable } of paused.values())
    views.push(toView(run, await runs.progress(run), { state, isActive: false, left: [], isResumable }));
  return views;
}

function toView(
  { id, task_id: taskId, options, runner, started, ended, end, iterations, usage }: Run,
  progress: RunProgress,
  looked: Pick<RunView, "state" | "isActive" | "left" | "isResumable">,
): RunView {
  return {
    ...progress,
    ...{ id, taskId, ...looked, agent: options.agent, begun: started },
    ...(ended !== undefined && { ended }),
    ...(end && { evidence: end.evidence }),
    totalIterations: iterations,
    ...{ maxIterations: options.maxIterations, maxAttempts: options.attempts, verify: options.verify },
    ...(options.maxCostUsd !== undefined && { maxCostUsd: options.maxCostUsd }),
    ...{ process: runner.pid, host: runner.host },
    ...(options.folder !== undefined && { folder: options.folder }),
    usage,
  };
}
