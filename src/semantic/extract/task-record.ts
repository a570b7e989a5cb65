import type { LoopState } from "../../domain/knowledge/learning.js";
import type { EncounteredError } from "../../domain/tasks/attempt.js";

/** What a task contributes to learnings. */
export interface TaskRecord {
  task_id: string;
  objective: string;
  ended: string;
  succeeded: boolean;
  /** What worked, or was learned, in the words of the agent or a person. */
  statements: readonly string[];
  problems: readonly Problem[];
  /** The attempts, such as `task-001/2`. */
  episodes: readonly string[];
  /** Files that the work changed. */
  files: readonly string[];
  /** Commands that passed, in order. */
  commands: readonly string[];
  /** It is a session in which a person asked an agent, and nobody has judged it. */
  isSession: boolean;
  /** What the person asked for later than at first. */
  prompts: readonly string[];
  git_commit?: string | undefined;
  /** Its iterations. */
  loop: LoopState;
}

/** A failure that a task met, and what became of it. */
export interface Problem {
  /** Equal for the same failure in another task. */
  key: string;
  /** The keys of failures that came and went with it. */
  aliases: readonly string[];
  /** It says nothing about other tasks. */
  isParticular: boolean;
  code?: string | undefined;
  message: string;
  files: readonly string[];
  /** The commands that showed it. */
  checks: readonly string[];
  state: "open" | "solved" | "flaky";
  /** What made it go away, and a key for that. */
  remedy?: { text: string; gist: string } | undefined;
  /** The gists and texts of what did not help. */
  inVain: readonly { text: string; gist: string }[];
  /** The attempts in which it was seen. */
  episodes: readonly string[];
}

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
