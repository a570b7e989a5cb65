import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { remedyOf, statementOf } from "../../domain/knowledge/statement.js";
import type { WeighedLearning } from "../../semantic/evidence.js";

export type EvidenceVerdict = "helps" | "hurts" | "unclear" | "none";

export interface EvidenceView extends Omit<WeighedLearning, "id"> {
  verdict: EvidenceVerdict;
}

/** A learning in a list. */
export interface LearningRow
  extends Pick<
    Learning,
    "id" | "type" | "taskType" | "confidence" | "successRate" | "useCount" | "updatedAt" | "superseded_by"
  > {
  statement: string;
  remedy?: string;
  evidence: EvidenceView;
}

export function learningRow(learning: Learning, weighed: WeighedLearning | undefined): LearningRow {
  const { id, type, taskType, confidence, successRate, useCount, updatedAt, superseded_by } = learning;
  return {
    ...{ id, type, taskType, confidence, successRate, useCount, updatedAt },
    ...(superseded_by !== undefined && { superseded_by }),
    statement: statementOf(learning),
    ...remedyField(learning),
    evidence: evidenceView(weighed),
  };
}

export function remedyField(learning: ExtractedLearning): { remedy?: string } {
  const remedy = remedyOf(learning);
  return remedy === "" ? {} : { remedy };
}

export function evidenceView(weighed: WeighedLearning | undefined): EvidenceView {
  if (weighed === undefined)
    return { trials: 0, successes: 0, baseRate: 0, lower: 0, upper: 1, lift: 0, verdict: "none" };
  const { id: _id, ...outcomes } = weighed;
  return {
    ...outcomes,
    verdict: outcomes.lift > 0 ? "helps" : outcomes.lift < 0 ? "hurts" : "unclear",
  };
}
