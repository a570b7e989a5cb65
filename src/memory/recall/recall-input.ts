import type { BriefRecord } from "../../domain/knowledge/brief.js";
import type { ScoreParts, SectionName } from "../../recall/candidate.js";
import type { RecallContext } from "../../recall/recall-question.js";

export interface RecallInput extends Omit<RecallContext, "objective"> {
  /** Defaults to the description of the task, else to the errors. */
  objective?: string | undefined;
  /** The current task: its own reflections come first, and what is shown is recorded so that it can be credited. */
  taskId?: string | undefined;
  /** Tells the UUID of a task that is not recorded yet, which may be in the control group. */
  nextTask?: (() => string) | undefined;
  /** False if the caller records later what the task was shown. */
  isRecorded?: boolean | undefined;
  /** The number of its last reflections (Ω), or the name of a preset. */
  memory?: number | string | undefined;
  /** Maximum number of tokens; 0 is unlimited. Defaults to the setting. */
  budgetTokens?: number | undefined;
  /** False leaves out similar tasks and learnings, but not notes and skills. Defaults to the setting. */
  isCrossTask?: boolean | undefined;
  /** False leaves out similar tasks, whose comparison takes longest. */
  hasSimilarTasks?: boolean | undefined;
  /** Nobody has said yet what to do: the best learnings, the latest tasks and the newest notes, whatever they are about. */
  isOverview?: boolean | undefined;
  /** False if the prompt has them elsewhere. */
  hasReflections?: boolean | undefined;
  /** Ids of records that are not shown again. */
  except?: readonly string[] | undefined;
  /** Only notes relevant to the objective, or also the newest others after them. */
  notes?: "relevant" | "all" | undefined;
  /** Also tells what was found and is not in the brief, and why. */
  isExplained?: boolean | undefined;
}

export interface RecalledEntry extends BriefRecord {
  section: SectionName;
  /** The content, without formatting. */
  statement: string;
  /** The lines in the brief. */
  text: string;
  score: number;
  /** The parts of the score. */
  parts: ScoreParts;
  /** Why it is shown, in a few words. */
  why: string;
}

/** A record that was found and is not in the brief. */
export interface OmittedEntry extends RecalledEntry {
  reason: "no room" | "says the same" | "control group";
  /** The id of the record that says the same. */
  sameAs?: string;
}

/** The records most relevant to an objective. */
export interface Recall {
  objective: string;
  taskType: string;
  taskId?: string;
  /** The task is in the control group: it sees nothing from other tasks. */
  isHoldout: boolean;
  /** There is a control group, so every task is recorded, even if it was shown nothing. */
  isMeasured: boolean;
  budgetTokens: number;
  tokens: number;
  /** In brief order. */
  entries: RecalledEntry[];
  leftOut: number;
  /** Best first; only if it was asked for. */
  omitted?: OmittedEntry[];
  /** Learnings that something other than Ralph changed; they are not shown. Only set if there are any. */
  altered?: string[];
  /** The best five across all kinds. */
  best: RecalledEntry[];
  /** The brief, fenced as data; empty if nothing was found. */
  text: string;
  /** The records shown, or for a control task, those that would have been shown. */
  records: BriefRecord[];
}
