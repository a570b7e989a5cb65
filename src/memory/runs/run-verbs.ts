import type { Learning } from "../../domain/knowledge/learning.js";
import type { Action } from "../../domain/tasks/action.js";
import type { Runner } from "../../domain/tasks/attempt.js";
import type { Run, RunEnd, RunOptions, RunUsage } from "../../domain/tasks/run.js";
import type { Turn } from "../../episodic/attempts/end-turn.js";
import type { Logged } from "../../episodic/attempts/log-entries.js";
import type { RunLook } from "./ending/look-at-run.js";
import type { PausedRun } from "./paused-runs.js";
import type { RunProgress } from "./run-progress.js";

/** An interrupted attempt that is continued. */
export interface AdoptedAttempt {
  attemptId: number;
  /** The last recorded iteration. */
  iterations: number;
}

export interface NewAction extends Action {
  /** An action whose key is already recorded is skipped. */
  idempotencyKey: string | undefined;
}

/** What the loop records in addition to `memory.tasks`. */
export interface RunVerbs {
  /** Redacts with the user's own patterns and exceptions in what `work` does. */
  redacting<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Records the start of a run and returns its id. Only one process may run a task at a time: unfinished runs that no longer
   * hold the task are ended, and with `force` one that does. Without `force`, a working tree is for one run at a time, too.
   */
  begin(
    taskId: string,
    options: RunOptions,
    runner: Runner,
    how?: { force?: boolean | undefined },
  ): Promise<number>;
  /** A sign of life. False if the task was taken over; does not wait while others write. */
  renew(runId: number): Promise<boolean>;
  /** Records the agent's process; undefined once it has ended. */
  saveAgent(runId: number, agent: Runner | undefined): Promise<void>;
  saveProgress(runId: number, iterations: number, usage: RunUsage): Promise<void>;
  /** Does nothing if it has already been ended. */
  end(runId: number, end: RunEnd): Promise<void>;
  /** What is really running of an unfinished run. */
  look(run: Run): Promise<RunLook>;
  /** How far a run has come. */
  progress(run: Run): Promise<RunProgress>;
  /** Ends the run and its attempt, if the run cannot do so itself. */
  close(run: Run, evidence: string): Promise<void>;
  /** Ends a task that a run has left: it counts as failed, and its runs are paused no more. */
  giveUp(taskId: string): Promise<void>;
  /** Newest first: the runs of one task, or the unfinished runs of all tasks. */
  list(taskId?: string): Promise<Run[]>;
  findLast(): Promise<Run | undefined>;
  /** Newest first: the runs that were interrupted and that nobody has gone on with. */
  listPaused(): Promise<PausedRun[]>;
  /** Throws if another run works in this working tree. */
  checkFolder(folder: string): Promise<void>;
  /** Continues the open attempt that nobody holds any more; undefined if there is none. */
  adoptAttempt(taskId: string, runner: Runner, runId: number): Promise<AdoptedAttempt | undefined>;
  /** Adds the agent's actions to the attempt in progress, if the run still holds the task. */
  logActions(taskId: string, actions: readonly NewAction[], runId?: number): Promise<Logged>;
  /** Records what the agent said at the end of an iteration that nobody judges. */
  endTurn(taskId: string, turn: Turn): Promise<void>;
  /** The learnings that came from a task. */
  learnedFrom(taskId: string): Promise<Learning[]>;
  /** Throws if the settings do not allow this number or preset of reflections. */
  checkWindow(memory: number | string | undefined): Promise<void>;
  /** Embeds pending records; does nothing without an embedder, and only reports one that fails. */
  embedPending(): Promise<void>;
}
