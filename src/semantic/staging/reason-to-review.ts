import type { ExtractedLearning, StagedLearning } from "../../domain/knowledge/learning.js";
import { instructionIn } from "./reads-like-instructions.js";

/** Why a person should look at a learning with care before it is promoted, if there is a reason. */
export function reasonToReview(learning: ExtractedLearning): string | undefined {
  const instruction = instructionIn(learning);
  const reasons = [
    ...(learning.origin === "import" ? ["imported"] : []),
    ...(instruction === undefined ? [] : [`reads like an instruction to an agent: ${instruction}`]),
  ];
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

export function withReason(entry: StagedLearning): StagedLearning {
  const reason = entry.status === "rejected" ? undefined : reasonToReview(entry.learning);
  return reason === undefined ? entry : { ...entry, reason };
}
