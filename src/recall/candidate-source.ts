import type { Candidate } from "./candidate.js";
import type { RecallQuestion } from "./recall-question.js";

export type SourceKind = "reflection" | "task" | "learning" | "note" | "skill";

/** One kind of memory that a recall draws from. */
export interface CandidateSource {
  kind: SourceKind;
  /** What may matter for a question, scored; in any order, except where a section keeps the order of its source. */
  find(question: RecallQuestion): Promise<Candidate[]>;
}

/** Kinds that come from other tasks: the control group does not see them. */
export const crossTaskKinds: ReadonlySet<SourceKind> = new Set(["task", "learning"]);
