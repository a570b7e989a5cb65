import { dayMs } from "../../domain/clock.js";
import type { Learning } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { removeLearning } from "./write-learning.js";

export interface PruneOptions {
  /** Prunes learnings whose confidence or success rate is below this. */
  minQuality?: number | undefined;
  /** Prunes learnings that were not updated for more days than this. */
  staleDays?: number | undefined;
  /** Prunes learnings that were never used. */
  isUnusedToo?: boolean | undefined;
  dryRun?: boolean | undefined;
}

export interface PrunedLearning {
  learning: Learning;
  reason: string;
}

/** Removes learnings that match one of the options, each with the reason. */
export async function pruneLearnings(
  tx: Repositories,
  options: PruneOptions,
  now: Date,
): Promise<PrunedLearning[]> {
  const pruned = (await tx.learnings.listAll()).flatMap(({ learning }) => {
    const reason = reasonAgainst(learning, options, now);
    return reason === undefined ? [] : [{ learning, reason }];
  });
  if (!options.dryRun)
    for (const { learning } of pruned) await removeLearning(tx, learning.id, now.toISOString());
  return pruned;
}

function reasonAgainst(
  learning: Learning,
  { minQuality, staleDays, isUnusedToo }: PruneOptions,
  now: Date,
): string | undefined {
  const { type, confidence, successRate, updatedAt, useCount } = learning;
  if (minQuality !== undefined) {
    if (confidence < minQuality) return `confidence ${rounded(confidence)} is below ${minQuality}`;
    // The success rate of an antipattern is always 0.
    if (type !== "antipattern" && successRate < minQuality)
      return `success rate ${rounded(successRate)} is below ${minQuality}`;
  }
  const ageDays = Math.floor((now.getTime() - Date.parse(updatedAt)) / dayMs);
  if (staleDays !== undefined && ageDays > staleDays) return `not updated for ${ageDays} days`;
  return isUnusedToo && useCount === 0 ? "never used" : undefined;
}

function rounded(share: number): number {
  return Number(share.toFixed(4));
}
