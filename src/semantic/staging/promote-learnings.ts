import type { ExtractedLearning, Learning, StagedLearning } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { strengthenLearning } from "../merge/merge-learnings.js";
import { findKnown } from "../records/find-duplicate.js";
import { linkToOlder } from "../records/link-to-older.js";
import { addLearning, saveLearning, toRow } from "../records/write-learning.js";
import type { SemanticContext } from "../semantic-context.js";
import { rejectInvalid, reviewedBy } from "./stage-learnings.js";

export interface PromotionOptions {
  /** Validates first: the given ids, or all pending ones. */
  autoValidate?: boolean | undefined;
  /** Removes promoted learnings from the staging area; true by default. */
  clearAfter?: boolean | undefined;
  /** Promotes only these. */
  ids?: readonly string[] | undefined;
  /** Who decided so. */
  reviewer?: string | undefined;
}

export type Promotion =
  | { kind: "added"; learning: Learning }
  | { kind: "strengthened"; learning: Learning }
  /** Adds nothing to the existing record. */
  | { kind: "known"; learning: Learning }
  /** It was deleted earlier. */
  | { kind: "deleted" };

export interface Promoted {
  promoted: number;
  skipped: number;
  /** The learnings that were added or strengthened. */
  learnings: Learning[];
  promotions: Extract<Promotion, { learning: Learning }>[];
  /** Staged learnings that failed validation. */
  rejected: StagedLearning[];
}

/** Promotes validated learnings from the staging area. */
export async function promoteStaged(
  tx: Repositories,
  context: Pick<SemanticContext, "newLearningId">,
  { autoValidate = false, clearAfter = true, ids, reviewer }: PromotionOptions,
  now: string,
): Promise<Promoted> {
  const staging = tx.stagedLearnings;
  const rejected = autoValidate ? await rejectInvalid(staging, ids, now) : [];
  const validated = await staging.list("validated");
  const result: Promoted = { promoted: 0, skipped: 0, learnings: [], promotions: [], rejected };
  for (const { id, learning } of validated.filter((entry) => ids === undefined || ids.includes(entry.id))) {
    const promotion = await promoteLearning(tx, context, reviewedBy(learning, reviewer), now);
    if (promotion.kind === "deleted") result.skipped += 1;
    else {
      result.promoted += 1;
      result.learnings.push(promotion.learning);
      result.promotions.push(promotion);
    }
    if (clearAfter) await staging.remove(id);
  }
  return result;
}

/** A duplicate strengthens the existing record, anything else is added. */
export async function promoteLearning(
  tx: Repositories,
  { newLearningId }: Pick<SemanticContext, "newLearningId">,
  found: ExtractedLearning,
  now: string,
): Promise<Promotion> {
  const existing = await findKnown(tx, found);
  if (existing !== undefined) return strengthen(tx, existing, found, now);
  const learning: Learning = { ...found, id: newLearningId(), createdAt: now, updatedAt: now, useCount: 0 };
  if (await tx.learnings.wasDeleted(toRow(learning))) return { kind: "deleted" };
  await addLearning(tx, learning);
  await linkToOlder(tx, learning, now);
  return { kind: "added", learning };
}

async function strengthen(
  tx: Repositories,
  existing: Learning,
  found: ExtractedLearning,
  now: string,
): Promise<Promotion> {
  const strengthened = strengthenLearning(existing, { ...found, type: existing.type }, now);
  if (strengthened === existing) return { kind: "known", learning: existing };
  const { superseded_by: replacedBy, ...record } = { ...strengthened, updatedAt: now };
  await saveLearning(tx, record);
  if (replacedBy !== undefined) {
    // It is current again, and supersedes its replacement.
    await tx.links.remove({ from: replacedBy, to: record.id, relation: "supersedes" });
    await tx.links.remove({ from: record.id, to: replacedBy, relation: "superseded_by" });
    await linkToOlder(tx, record, now);
  } else if (record.content.prevention !== existing.content.prevention) await linkToOlder(tx, record, now);
  return { kind: "strengthened", learning: record };
}
