/** One record that was put into a prompt. */
export interface BriefRecord {
  id: string;
  /** For example `note` or `learning`. */
  kind: string;
}

/** What was put into a prompt; for a control task, what would have been. */
export interface Brief {
  task_id?: string | undefined;
  created: string;
  isHoldout: boolean;
  records: readonly BriefRecord[];
}

/** Why a record is credited with the outcome of a task. */
export type CreditReason = "cited" | "touched its files" | "met its error" | "shown";

/** What a record is credited with for the outcome of one task. */
export interface Credit {
  record_id: string;
  task_id: string;
  task_type: string;
  weight: number;
  succeeded: boolean;
  reason: CreditReason;
  created: string;
}
