import type { Learning } from "../../domain/knowledge/learning.js";
import type { Action } from "../../domain/tasks/action.js";
import type { Runner } from "../../domain/tasks/attempt.js";
import type { Run, RunEnd, RunOptions, RunUsage } from "../../domain/tasks/run.js";
import type { Logged } from "../../episodic/attempts/log-entries.js";

/** An interrupted attempt that is continued. */
export interface AdoptedAttempt {
  attemptId: number;
  /** The last recorded iteration. */
  iterations: number;
}

export interface NewAction extends Action {
  /** An action with a key that is already recorded is not recorded again. */
  idempotencyKey: string | undefined;
}

/** What a loop records beside `memory.tasks`. */
export interface RunVerbs {
  /** Records that a run begins, and returns its id. One process runs a task at a time. */
  begin(taskId: string, options: RunOptions, runner: Runner): Promise<number>;
  /** Records the agent's process; undefined when it has ended. */
  saveAgent(runId: number, agent: Runner | undefined): Promise<void>;
  saveProgress(runId: number, iterations: number, usage: RunUsage): Promise<void>;
  end(runId: number, end: RunEnd): Promise<void>;
  /** Newest first: of one task, or of all tasks those that have not ended. */
  list(taskId?: string): Promise<Run[]>;
  findLast(): Promise<Run | undefined>;
  /** Continues the attempt in progress of a process that is gone; undefined when there is none. */
  adoptAttempt(taskId: string, runner: Runner): Promise<AdoptedAttempt | undefined>;
  /** Adds the agent's actions to the attempt in progress. */
  logActions(taskId: string, actions: readonly NewAction[]): Promise<Logged>;
  /** The learnings that have a task among their sources. */
  learnedFrom(taskId: string): Promise<Learning[]>;
  /** Refuses a number or preset of reflections that the settings do not allow. */
  checkWindow(memory: number | string | undefined): Promise<void>;
  /** Embeds what waits for it; does nothing without an embedder, and a fault of it is only reported. */
  embedPending(): Promise<void>;
}
