import { messageOf, RalphError } from "../../domain/ralph-error.js";
import { interrupted } from "../../domain/tasks/attempt.js";
import { type Run, type RunEndKind, whyOver } from "../../domain/tasks/run.js";
import type { Memory } from "../../memory/memory.js";
import { endProcessesOf, endRunner } from "../../memory/runs/end-run.js";
import type { PausedRun } from "../../memory/runs/paused-runs.js";
import { alreadyRunning } from "../../memory/runs/refuse-second-run.js";
import type { AdoptedAttempt } from "../../memory/runs/runs.js";
import { runsOf } from "../../memory/runs/runs.js";
import { thisRunner } from "../../processes/runner.js";
import { isRedacted } from "../../text/secrets/mark.js";
import type { Resumed } from "../run-loop.js";

type TaskHistory = Awaited<ReturnType<Memory["tasks"]["history"]>>;

export interface Resumable {
  task: TaskHistory;
  run: Run;
}

interface ResumableRun extends Pick<PausedRun, "run" | "task"> {
  state: PausedRun["state"] | RunEndKind;
}

/** Picks one of several resumable runs; undefined if the user picks none. */
export type ChooseRun = (runs: readonly ResumableRun[]) => Promise<ResumableRun | undefined>;

interface ResumeChoice {
  /** Allows a run that another process holds. */
  force?: boolean | undefined;
  /** Without it, several candidates are an error that lists them. */
  choose?: ChooseRun | undefined;
}

/** The run to resume: that of the given task, else the paused one, else the last one. */
export async function findResumable(
  memory: Memory,
  taskId: string | undefined,
  { force = false, choose }: ResumeChoice = {},
): Promise<Resumable> {
  const runs = runsOf(memory);
  const run = taskId === undefined ? await pickRun(memory, { force, choose }) : (await runs.list(taskId))[0];
  if (run === undefined)
    throw new RalphError("not-found", taskId === undefined ? "No runs yet" : `${taskId} has never been run`, {
      hint: 'start one with: ralph run "<what to do>"',
    });
  const task = await memory.tasks.history(run.task_id);
  if (!force && run.ended === undefined && (await runs.look(run)).isHeld) throw await alreadyRunning(run);
  if (task.status === "completed") {
    // It was killed after the task was completed, before it could record its end.
    if (run.ended === undefined)
      await runs.end(run.id, { kind: "completed", evidence: "the task is completed" });
    throw new RalphError("wrong-use", `${task.id} is already completed`, {
      hint: 'start another run with: ralph run "<what to do>"',
    });
  }
  if (run.options.verify.some(isRedacted))
    throw new RalphError("wrong-use", `The check of ${task.id} holds a secret, which was not stored`, {
      hint: 'put the secret into an environment variable, and start again with "ralph run"',
    });
  return { task, run };
}

/** Candidates are all interrupted runs, and the last one if it failed; running ones only with `force`. */
async function pickRun(memory: Memory, { force, choose }: ResumeChoice): Promise<Run | undefined> {
  const runs = runsOf(memory);
  const last = await runs.findLast();
  const paused = await runs.listPaused();
  const failed = await lastFailed(memory, last);
  const resumable = paused.filter(({ isResumable }) => isResumable);
  const candidates: ResumableRun[] = [...failed, ...(resumable.length > 0 ? resumable : paused)];
  const isLastPaused = paused.some(({ run }) => run.id === last?.id);
  if (force && last?.ended === undefined && !isLastPaused) return last;
  if (candidates.length === 0) {
    const over = last && whyOver(last, (await memory.tasks.history(last.task_id)).status);
    if (over === undefined) return last;
    const reason = `${last?.task_id} ${over === "completed" ? "is already completed" : "was given up"}`;
    throw new RalphError("wrong-use", `No run is paused, and the last one is over: ${reason}`, {
      hint: 'name a task to try it again, or start another run with: ralph run "<what to do>"',
    });
  }
  if (candidates.length === 1) return candidates[0]?.run;
  const chosen = await choose?.(candidates);
  if (chosen === undefined) throw severalPaused(candidates);
  return chosen.run;
}

/** The tasks that `ralph resume` can continue. */
export async function listResumable(memory: Memory): Promise<string[]> {
  const runs = runsOf(memory);
  const failed = await lastFailed(memory, await runs.findLast());
  const paused = (await runs.listPaused()).filter(({ isResumable }) => isResumable);
  return [...failed, ...paused].map(({ task }) => task.id);
}

async function lastFailed(memory: Memory, last: Run | undefined): Promise<ResumableRun[]> {
  if (last?.end === undefined || last.end.kind === "completed" || last.end.kind === interrupted) return [];
  const task = await memory.tasks.history(last.task_id);
  return task.status === "completed" || last.options.verify.some(isRedacted)
    ? []
    : [{ run: last, task, state: last.end.kind }];
}

const maxListed = 8;
const maxObjective = 40;

function severalPaused(paused: readonly ResumableRun[]): RalphError {
  const named = paused.slice(0, maxListed).map(({ task: { id, description } }) => {
    const [line = ""] = description.split("\n");
    return `${id} (${line.length > maxObjective ? `${line.slice(0, maxObjective).trimEnd()}…` : line})`;
  });
  const more = paused.length - named.length;
  const list = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return new RalphError("ambiguous", `${paused.length} runs can be resumed: ${list}`, {
    hint: `name one: ralph resume ${paused[0]?.task.id}`,
  });
}

/**
 * Ends the remains of the run, takes its task over, and adopts the interrupted attempt and its usage. With `force`, a run that holds the
 * task is ended first; one on another machine stops itself when it notices.
 */
export async function prepareResume(
  memory: Memory,
  { task: found, run }: Resumable,
  killGraceMs: number,
  { force = false }: { force?: boolean | undefined } = {},
): Promise<Resumed> {
  const runs = runsOf(memory);
  const problems = run.ended === undefined ? await endRun(memory, run, killGraceMs, force) : [];
  // A run ended just now has recorded its end.
  const task = force ? await memory.tasks.history(run.task_id) : found;
  const runner = thisRunner();
  const runId = await runs.begin(task.id, run.options, runner, { force });
  try {
    const adopted = await runs.adoptAttempt(task.id, runner, runId);
    const others = (await runs.list(task.id)).filter(({ id }) => id !== runId);
    return { runId, problems, ...usedBefore(task, others, adopted) };
  } catch (error) {
    await runs.end(runId, { kind: "interrupted", evidence: messageOf(error) });
    throw error;
  }
}

/** What the interrupted runs had used up, and where they stopped. */
function usedBefore(
  task: TaskHistory,
  runs: readonly Run[],
  adopted: AdoptedAttempt | undefined,
): Pick<Resumed, "attempts" | "iterations" | "spentUsd" | "adopted"> {
  const chain = interruptedRuns(runs);
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

/** Time for a run to finish after its agent has ended. */
const toEndItselfMs = 10_000;

/** Returns what may still be running. */
async function endRun(memory: Memory, run: Run, killGraceMs: number, force: boolean): Promise<string[]> {
  // Foreign records may name any process.
  if (await memory.trust.hasForeignRecords())
    return ["the processes of this run were not ended: someone else recorded them"];
  if (force)
    await endRunner(run.runner, {
      waitMs: killGraceMs + toEndItselfMs,
      force,
      hasEnded: async () => false,
    });
  const { problems, elsewhere } = await endProcessesOf(run, killGraceMs);
  if (problems.length > 0 && !force)
    throw new RalphError("wrong-use", `An agent of this run may still be running: ${problems.join("; ")}`, {
      hint: `stop it first${run.agent_process ? ` (kill -- -${run.agent_process.pid})` : ""}, or use --force`,
    });
  if (elsewhere === undefined) return problems;
  const { pid, host } = elsewhere;
  return [
    ...problems,
    `its agent, process ${pid} on ${host}, cannot be seen from here and may still be running`,
  ];
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
