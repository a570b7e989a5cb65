import type { Candidate } from "./candidate.js";
import type { RecallQuestion } from "./recall-question.js";

export type SourceKind = "reflection" | "task" | "learning" | "note" | "skill";

/** One kind of memory that recall searches. */
export interface CandidateSource {
  kind: SourceKind;
  /** `foundBefore` is what earlier sources find, which need not be told again. Scored candidates in any order, except that reflections are shown in the order of their source. */
  find(question: RecallQuestion, foundBefore: Promise<readonly Candidate[]>): Promise<Candidate[]>;
}

/** Kinds that come from other tasks; hidden from the control group. */
export const crossTaskKinds: ReadonlySet<SourceKind> = new Set(["task", "learning"]);
