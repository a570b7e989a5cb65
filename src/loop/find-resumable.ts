import { endOrphanGroup } from "../agents/process-group.js";
import { RalphError } from "../domain/ralph-error.js";
import type { Run } from "../domain/run.js";
import type { Task } from "../domain/task.js";
import { isGone, runnerOf } from "../episodic/runner.js";
import type { Memory } from "../memory/memory.js";
import type { LoopInput } from "./run-loop.js";

export interface Resumable {
  task: Task;
  run: Run;
  resumed: NonNullable<LoopInput["resumed"]>;
}

/** The run to go on with: that of a task, else the last one. What its agent left behind is ended first. */
export async function findResumable(memory: Memory, taskId: string | undefined): Promise<Resumable> {
  const run = taskId === undefined ? await memory.findLastRun() : (await memory.listRuns(taskId))[0];
  if (run === undefined)
    throw new RalphError(
      "not-found",
      taskId === undefined ? "There is no run yet" : `${taskId} was never run`,
      {
        hint: 'start one: ralph run "what is to be done"',
      },
    );
  const { attempts: _attempts, reflections: _reflections, ...task } = await memory.queryHistory(run.task_id);
  if (run.ended === undefined && !isGone(run.runner))
    throw new RalphError("wrong-use", `${task.id} is being run by process ${run.runner.pid}`, {
      hint: `ralph stop ${task.id}`,
    });
  if (task.status === "completed")
    throw new RalphError("wrong-use", `${task.id} is completed`, { hint: 'start another: ralph run "…"' });
  if (run.agent_process !== undefined) await endOrphanGroup(run.agent_process);
  const adopted = await memory.adoptAttempt(task.id, runnerOf(process.pid));
  if (run.ended === undefined)
    await memory.endRun(run.id, { kind: "interrupted", evidence: `process ${run.runner.pid} was gone` });
  const wasInterrupted = run.end === undefined || run.end.kind === "interrupted";
  return {
    task,
    run,
    resumed: {
      attempts: 0,
      iterations: wasInterrupted && adopted === undefined ? run.iterations : 0,
      adopted,
    },
  };
}
