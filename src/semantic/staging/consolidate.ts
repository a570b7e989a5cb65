import type { Learning } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { clusterEpisodes } from "../extract/cluster-episodes.js";
import type { Episode } from "../extract/episode.js";
import type { Finding } from "../extract/extract-from-task.js";
import { findPatterns } from "../extract/find-patterns.js";
import { minRepeats } from "../learning-limits.js";
import type { MergedDuplicates } from "../merge/merge-duplicates.js";
import type { SemanticContext } from "../semantic-context.js";
import { instructionIn } from "./reads-like-instructions.js";
import { settleFindings } from "./settle-findings.js";

export interface Consolidated {
  episodes: number;
  clusters: number;
  /** New and strengthened learnings, each once. */
  changes: { kind: "added" | "strengthened"; learning: Learning }[];
  /** Staged for a review. */
  staged: number;
  merged: MergedDuplicates[];
}

export interface ConsolidationInput {
  episodes: readonly Episode[];
  /** What the tasks showed, without what was said: that is in the episodes. */
  findings: readonly Finding[];
  isReviewed: boolean;
}

/** Settles what tasks showed, and the patterns that similar tasks agree on. */
export async function consolidate(
  tx: Repositories,
  context: Omit<SemanticContext, "store">,
  { episodes, findings, isReviewed }: ConsolidationInput,
): Promise<Omit<Consolidated, "merged">> {
  const now = context.clock().toISOString();
  const clusters = clusterEpisodes(episodes).filter((cluster) => cluster.length >= minRepeats);
  const patterns = clusters.flatMap(findPatterns).map((learning) => ({
    learning,
    isReady: true,
    isSuspect: instructionIn(learning.content) !== undefined,
  }));
  const settled = await settleFindings(tx, context, [...patterns, ...findings], { isReviewed });
  const byId = new Map<string, Consolidated["changes"][number]>();
  for (const { kind, learning } of settled.changes)
    if (kind !== "known") byId.set(learning.id, { kind: byId.get(learning.id)?.kind ?? kind, learning });
  const changes = [...byId.values()];
  for (const { learning } of changes) await linkToEpisodes(tx, learning, now);
  return { episodes: episodes.length, clusters: clusters.length, changes, staged: settled.staged };
}

async function linkToEpisodes(tx: Repositories, { id, source_episodes = [] }: Learning, now: string) {
  for (const episode of source_episodes)
    await tx.links.add({ from: id, to: episode, relation: "derived_from", created: now });
}
