import type { BriefRecord } from "../../domain/knowledge/brief.js";
import type { ScoreParts, SectionName } from "../../recall/candidate.js";
import type { RecallContext } from "../../recall/recall-question.js";

export interface RecallInput extends Omit<RecallContext, "objective"> {
  /** Taken from the task when it is not said. */
  objective?: string | undefined;
  /** The task that is worked on: its own reflections come first, and what is shown is recorded, to be credited. */
  taskId?: string | undefined;
  /** How many of its last reflections (Ω), or the name of a preset. */
  memory?: number | string | undefined;
  /** At most so many tokens; 0 is unlimited. As it is set when absent. */
  budgetTokens?: number | undefined;
  /** False leaves out what other tasks taught: similar tasks and learnings. Notes and skills stay. As it is set when
   * absent. */
  isCrossTask?: boolean | undefined;
  /** False where these are told elsewhere. */
  hasReflections?: boolean | undefined;
  /** Only notes that have to do with the objective, or after them the newest others, too. */
  notes?: "relevant" | "all" | undefined;
}

export interface RecalledEntry extends BriefRecord {
  section: SectionName;
  /** What it says. */
  statement: string;
  /** As it stands in the brief. */
  text: string;
  score: number;
  /** What the score is made of. */
  parts: ScoreParts;
}

/** What matters for an objective, of all that is remembered. */
export interface Recall {
  objective: string;
  taskType: string;
  taskId?: string;
  /** The task belongs to the control group: it is not shown what other tasks taught. */
  isHoldout: boolean;
  /** A control group is set: every task is recorded, whatever it was shown. */
  isMeasured: boolean;
  budgetTokens: number;
  tokens: number;
  /** In the order of the brief. */
  entries: RecalledEntry[];
  leftOut: number;
  /** The best five of all kinds. */
  best: RecalledEntry[];
  /** The brief: fenced as data; empty when nothing is known. */
  text: string;
  /** What was shown of other tasks, or would have been to a task of the control group. */
  records: BriefRecord[];
}
