import type { EncounteredError } from "../../domain/tasks/attempt.js";

/** What a finished attempt contributes to learnings. */
export interface Episode {
  /** The task and the number of the attempt: `task-001/2`. */
  id: string;
  task_id: string;
  goal: string;
  succeeded: boolean;
  ended: string;
  /** What worked, or what was learned from the failure. */
  statements: readonly string[];
  errors: readonly EncounteredError[];
  files: readonly string[];
  git_commit?: string | undefined;
}
