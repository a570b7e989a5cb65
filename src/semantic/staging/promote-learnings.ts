import type { ExtractedLearning, Learning, StagedLearning } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { strengthenLearning } from "../merge/merge-learnings.js";
import { findDuplicate, type KnownLearnings, knownLearnings } from "../records/known-learnings.js";
import { linkToOlder } from "../records/link-to-older.js";
import type { SemanticContext } from "../semantic-context.js";
import { rejectInvalid, reviewedBy, type StagingArea } from "./stage-learnings.js";

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

/** Promotes validated learnings: a duplicate strengthens the existing record, anything else is added. */
export async function promoteStaged(
  tx: Repositories,
  context: Pick<SemanticContext, "newLearningId">,
  options: PromotionOptions,
  now: string,
): Promise<Promoted> {
  const known = knownLearnings(tx);
  const promoted = await promoteFrom(tx.stagedLearnings, { tx, known, ...context }, options, now);
  await known.write();
  return promoted;
}

/** What promoting changes; it is written by whoever gives it. */
export interface Promoting extends Pick<SemanticContext, "newLearningId"> {
  tx: Pick<Repositories, "links">;
  known: KnownLearnings;
}

/** The same from a given staging area. */
export async function promoteFrom(
  staging: StagingArea,
  promoting: Promoting,
  { autoValidate = false, clearAfter = true, ids, reviewer }: PromotionOptions,
  now: string,
): Promise<Promoted> {
  const rejected = autoValidate ? await rejectInvalid(staging, ids, now) : [];
  const validated = await staging.list("validated");
  const chosen = validated.filter(({ id }) => ids === undefined || ids.includes(id));
  await promoting.known.readEqual(chosen.map(({ learning }) => learning));
  const result: Promoted = { promoted: 0, skipped: 0, learnings: [], promotions: [], rejected };
  for (const { id, learning } of chosen) {
    const promotion = await promoteLearning(promoting, reviewedBy(learning, reviewer), now);
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

/** A superseded learning that is found again is current again, and supersedes its replacement. */
async function reinstate(
  { tx, known }: Promoting,
  learning: Learning,
  replacedBy: string,
  now: string,
): Promise<void> {
  await Promise.all([
    tx.links.remove({ from: replacedBy, to: learning.id, relation: "supersedes" }),
    tx.links.remove({ from: learning.id, to: replacedBy, relation: "superseded_by" }),
  ]);
  await linkToOlder(tx, known, learning, now);
}

/** The learning that a finding strengthens. A pattern that repeats a strategy strengthens the strategy. */
export async function findKnown(
  known: KnownLearnings,
  found: ExtractedLearning,
): Promise<Learning | undefined> {
  const same = await findDuplicate(known, found);
  if (same !== undefined || found.type !== "pattern") return same;
  return findDuplicate(known, { ...found, type: "strategy" });
}

export async function promoteLearning(
  promoting: Promoting,
  found: ExtractedLearning,
  now: string,
): Promise<Promotion> {
  const { tx, known, newLearningId } = promoting;
  const existing = await findKnown(known, found);
  if (existing !== undefined) {
    const strengthened = strengthenLearning(existing, { ...found, type: existing.type }, now);
    if (strengthened === existing) return { kind: "known", learning: existing };
    const { superseded_by: replacedBy, ...record } = { ...strengthened, updatedAt: now };
    known.put(record);
    if (replacedBy !== undefined) await reinstate(promoting, record, replacedBy, now);
    else if (record.content.prevention !== existing.content.prevention)
      await linkToOlder(tx, known, record, now);
    return { kind: "strengthened", learning: record };
  }
  const learning: Learning = {
    ...found,
    id: newLearningId(),
    createdAt: now,
    updatedAt: now,
    useCount: 0,
  };
  if (await known.wasDeleted(learning)) return { kind: "deleted" };
  known.put(learning);
  await linkToOlder(tx, known, learning, now);
  return { kind: "added", learning };
}
