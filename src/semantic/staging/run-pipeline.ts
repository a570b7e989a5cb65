import type { ExtractedLearning, LoopState } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { extractLearnings } from "../extract/extract-learnings.js";
import type { SemanticContext } from "../semantic-context.js";
import { type PromotionOptions, promoteStaged } from "./promote-learnings.js";
import { instructionIn } from "./reads-like-instructions.js";
import { stageLearnings } from "./stage-learnings.js";

export interface PipelineResult {
  extracted: number;
  validated: number;
  rejected: number;
  promoted: number;
  skipped: number;
}

/** Extracts, stages, validates and promotes in one transaction. */
export async function runPipeline(
  context: SemanticContext,
  loop: LoopState,
  options: PromotionOptions = {},
): Promise<PipelineResult> {
  return context.store.transaction((tx) => stageAndPromote(tx, context, extractLearnings(loop), options));
}

/** The same, but what reads like an instruction to an agent waits for a review, and with a review everything does. */
export async function settleLoop(
  tx: Repositories,
  context: Omit<SemanticContext, "store">,
  loop: LoopState,
  { isReviewed }: { isReviewed: boolean },
): Promise<PipelineResult> {
  const found = extractLearnings(loop);
  const heldBack = found.filter((learning) => isReviewed || instructionIn(learning) !== undefined);
  await stageLearnings(tx.stagedLearnings, heldBack, context.clock());
  const others = found.filter((learning) => !heldBack.includes(learning));
  return { ...(await stageAndPromote(tx, context, others, {})), extracted: found.length };
}

/** Stages, validates and promotes findings. */
async function stageAndPromote(
  tx: Repositories,
  context: Omit<SemanticContext, "store">,
  found: readonly ExtractedLearning[],
  { autoValidate = true, clearAfter = true }: PromotionOptions,
): Promise<PipelineResult> {
  const now = context.clock();
  const staged = await stageLearnings(tx.stagedLearnings, found, now);
  if (!autoValidate) return { extracted: staged.length, validated: 0, rejected: 0, promoted: 0, skipped: 0 };
  // What was staged earlier waits for a review.
  const own = { ids: staged.map(({ id }) => id), autoValidate: true, clearAfter };
  const { promoted, skipped, rejected } = await promoteStaged(tx, context, own, now.toISOString());
  const validated = staged.length - rejected.length;
  return { extracted: staged.length, validated, rejected: rejected.length, promoted, skipped };
}
