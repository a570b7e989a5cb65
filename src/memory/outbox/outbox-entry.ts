import type { AttemptResult } from "../../episodic/attempts/end-attempt.js";
import type { Turn } from "../../episodic/attempts/end-iteration.js";
import type { LogEntry } from "../../episodic/attempts/log-entries.js";

/** What is to be recorded once a team's server can be reached. */
export type OutboxEntry =
  | { verb: "log"; taskId: string; entries: readonly LogEntry[]; runId?: number | undefined }
  | { verb: "end-turn"; taskId: string; turn: Turn }
  | { verb: "complete"; taskId: string; result: AttemptResult }
  /** What follows from a result that is recorded: its lessons, and the skills that were used. */
  | { verb: "learn"; taskId: string };

/** What a verb answers when its work waits. */
export interface KeptForLater {
  waits: true;
}

export function isKept(result: object): result is KeptForLater {
  return "waits" in result;
}
