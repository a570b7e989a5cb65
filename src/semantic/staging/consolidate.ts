import type { Learning } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { clusterEpisodes } from "../extract/cluster-episodes.js";
import type { Episode } from "../extract/episode.js";
import { findMistakes } from "../extract/find-mistakes.js";
import { findPatterns } from "../extract/find-patterns.js";
import { minRepeats } from "../learning-limits.js";
import type { MergedDuplicates } from "../merge/merge-duplicates.js";
import type { SemanticContext } from "../semantic-context.js";
import { type Promotion, promoteLearning } from "./promote-learnings.js";

export interface Consolidated {
  episodes: number;
  clusters: number;
  /** New and strengthened learnings. */
  changes: { kind: "added" | "strengthened"; learning: Learning }[];
  merged: MergedDuplicates[];
}

/** Promotes the patterns of similar episodes and the antipatterns of their errors. */
export async function consolidate(
  tx: Repositories,
  { newLearningId, clock }: Omit<SemanticContext, "store">,
  episodes: readonly Episode[],
): Promise<Omit<Consolidated, "merged">> {
  const now = clock().toISOString();
  const clusters = clusterEpisodes(episodes).filter((cluster) => cluster.length >= minRepeats);
  const found = [...clusters.flatMap(findPatterns), ...findMistakes(episodes)];
  const changes: Consolidated["changes"] = [];
  for (const finding of found) {
    const promotion = await promoteLearning(tx, { newLearningId }, finding, now);
    if (isChange(promotion)) {
      changes.push(promotion);
      await linkToEpisodes(tx, promotion.learning, now);
    }
  }
  return { episodes: episodes.length, clusters: clusters.length, changes };
}

function isChange(promotion: Promotion): promotion is Consolidated["changes"][number] {
  return promotion.kind === "added" || promotion.kind === "strengthened";
}

async function linkToEpisodes(tx: Repositories, { id, source_episodes = [] }: Learning, now: string) {
  for (const episode of source_episodes)
    await tx.links.add({ from: id, to: episode, relation: "derived_from", created: now });
}
