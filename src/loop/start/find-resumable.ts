import { RalphError } from "../../domain/ralph-error.js";
import { interrupted, type Runner } from "../../domain/tasks/attempt.js";
import type { Run } from "../../domain/tasks/run.js";
import type { Memory } from "../../memory/memory.js";
import { alreadyRunning } from "../../memory/runs/live-runs.js";
import { runsOf } from "../../memory/runs/make-run-verbs.js";
import { endOrphanGroup } from "../../processes/process-group.js";
import { isGone, runnerOf } from "../../processes/runner.js";
import type { Resumed } from "../run-loop.js";

type TaskHistory = Awaited<ReturnType<Memory["tasks"]["history"]>>;

export interface Resumable {
  task: TaskHistory;
  run: Run;
}

/** The run to resume: that of a task, else the last one. */
export async function findResumable(memory: Memory, taskId: string | undefined): Promise<Resumable> {
  const runs = runsOf(memory);
  const run = taskId === undefined ? await runs.findLast() : (await runs.list(taskId))[0];
  if (run === undefined)
    throw new RalphError("not-found", taskId === undefined ? "No runs yet" : `${taskId} has never been run`, {
      hint: 'start one with: ralph run "<what to do>"',
    });
  const task = await memory.tasks.history(run.task_id);
  if (run.ended === undefined && !isGone(run.runner)) throw alreadyRunning(run);
  if (task.status === "completed") {
    // It was killed after the task was completed, before it could record its end.
    if (run.ended === undefined)
      await runs.end(run.id, { kind: "completed", evidence: "the task is completed" });
    throw new RalphError("wrong-use", `${task.id} is already completed`, {
      hint: 'start another run with: ralph run "<what to do>"',
    });
  }
  return { task, run };
}

/** Stops an agent that is still running, and adopts the interrupted attempt with what it had used up. */
export async function prepareResume(
  memory: Memory,
  { task, run }: Resumable,
  killGraceMs: number,
): Promise<Resumed> {
  if (run.agent_process !== undefined) await stopOrphanAgent(run.agent_process, killGraceMs);
  const runs = runsOf(memory);
  const adopted = await runs.adoptAttempt(task.id, runnerOf(process.pid));
  if (run.ended === undefined)
    await runs.end(run.id, { kind: "interrupted", evidence: `process ${run.runner.pid} is gone` });
  const chain = interruptedRuns(await runs.list(task.id));
  const before = task.attempts.filter(({ id }) => id !== adopted?.attemptId);
  return {
    attempts: before.filter((attempt) => isOf(chain, attempt) && !wasInterrupted(attempt)).length,
    iterations:
      chain.length === 0
        ? 0
        : before
            .slice(before.findLastIndex((attempt) => !wasInterrupted(attempt)) + 1)
            .reduce((sum, { results }) => sum + results.length, 0),
    spentUsd: chain.reduce((sum, { usage }) => sum + (usage.costUsd ?? 0), 0),
    adopted: adopted && {
      ...adopted,
      output: task.attempts.at(-1)?.results.at(-1)?.output,
      introduction: introductionOf(task),
    },
  };
}

async function stopOrphanAgent(agent: Runner, killGraceMs: number): Promise<void> {
  const end = await endOrphanGroup(agent, killGraceMs);
  if (end.kind === "left")
    throw new RalphError("wrong-use", `An agent of this run may still be running: ${end.reason}`, {
      hint: `stop it first: kill -- -${agent.pid}`,
    });
}

/** Newest first: the last run, and the interrupted runs that it resumed. */
export function interruptedRuns<Each extends Pick<Run, "end">>(runs: readonly Each[]): Each[] {
  const other = runs.findIndex(({ end }) => end?.kind !== "interrupted");
  return other === -1 ? [...runs] : runs.slice(0, other);
}

function isOf(chain: readonly Run[], { started }: { started: string }): boolean {
  const first = chain.at(-1);
  return first !== undefined && started >= first.started;
}

function wasInterrupted({ outcome }: TaskHistory["attempts"][number]): boolean {
  return outcome?.reason === interrupted;
}

/** The handoffs at the start of the last attempt's plan. */
function introductionOf({ id, attempts }: TaskHistory): string {
  const { plan_text: text = "", id: attempt } = attempts.at(-1) ?? {};
  return text.slice(0, Math.max(0, text.lastIndexOf(`# Plan for attempt ${attempt} of ${id}`)));
}
