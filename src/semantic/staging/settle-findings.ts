import {
  type ExtractedLearning,
  type Learning,
  type LoopState,
  learningTypes,
} from "../../domain/knowledge/learning.js";
import { isHabit, statementOf } from "../../domain/knowledge/statement.js";

import type { Repositories } from "../../store/store.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { extractLearnings } from "../extract/extract-from-loop.js";
import type { Finding } from "../extract/extract-from-task.js";
import { clusterEpisodes, findPatterns } from "../extract/find-patterns.js";
import type { Episode } from "../extract/task-record.js";
import { minConfidence, minRepeats } from "../learning-limits.js";
import { hasAgreement } from "../merge/agreed-habit.js";
import { otherStatements } from "../merge/best-remedy.js";
import type { MergedDuplicates } from "../merge/merge-duplicates.js";
import { addsNothing } from "../merge/merge-learnings.js";
import { findDuplicate, findKnown, saysTheSame } from "../records/find-duplicate.js";
import { deniesRemedy } from "../records/link-to-older.js";
import type { SemanticContext } from "../semantic-context.js";
import {
  type Promotion,
  type PromotionOptions,
  promoteLearning,
  promoteStaged,
} from "./promote-learnings.js";
import { findStaged, joinEvidence, listTurnedDown, restage, stageLearnings } from "./stage-learnings.js";
import { instructionIn, validateLearning } from "./validate-learning.js";

type PipelineContext = Omit<SemanticContext, "store">;

interface Settled {
  extracted: number;
  promoted: number;
  skipped: number;
  rejected: number;
  /** Staged for a review. */
  staged: number;
  /** All findings but those that are not valid, or that a person rejected or deleted before. */
  accepted: Finding[];
  /** Promoted or strengthened. */
  changes: Extract<Promotion, { learning: Learning }>[];
}

/**
 * What is worth keeping of a task's findings is promoted at once, or waits for a person: with a review all of it, else what is
 * suspect. The rest waits in the staging area until another task confirms it.
 */
export async function settleFindings(
  tx: Repositories,
  context: PipelineContext,
  findings: readonly Finding[],
  { isReviewed }: { isReviewed: boolean },
): Promise<Settled> {
  const settled: Settled = {
    ...{ extracted: findings.length, promoted: 0, skipped: 0, rejected: 0, staged: 0 },
    accepted: [],
    changes: [],
  };
  const turnedDown = await listTurnedDown(tx.stagedLearnings);
  for (const given of findings) {
    const finding = { ...given, learning: redactDeep(given.learning) };
    const { learning } = finding;
    if (!isValid(learning) || turnedDown.some((entry) => saysTheSame(entry.learning, learning)))
      settled.rejected += 1;
    else if ((await settleFinding(tx, context, finding, isReviewed, settled)) !== "deleted")
      settled.accepted.push(finding);
  }
  return settled;
}

async function settleFinding(
  tx: Repositories,
  context: PipelineContext,
  { learning: found, isReady, isSuspect = false }: Finding,
  isReviewed: boolean,
  settled: Settled,
): Promise<"settled" | "deleted"> {
  const now = context.clock();
  const at = now.toISOString();
  const known = await findKnown(tx, found);
  const waits = isReviewed || (isSuspect && known === undefined);
  // A review of what is known already would be a waste of time.
  if (waits && known !== undefined && addsNothing(known, found, at)) return "settled";
  const learning = known !== undefined && addsUp(found) ? joinEvidence(known, found, at) : found;
  const before = await findStaged(tx.stagedLearnings, learning, { isReviewed: waits });
  const joined = before === undefined ? learning : joinEvidence(before.learning, learning, at);
  const isAwaiting = !isReady && known === undefined && !hasEnoughEvidence(joined);
  const awaitsEvidence = isAwaiting && (before?.awaitsEvidence ?? true);
  if (waits || awaitsEvidence) {
    await restage(tx.stagedLearnings, joined, { before, awaitsEvidence, now });
    if (!awaitsEvidence) settled.staged += 1;
    return "settled";
  }
  if (before !== undefined) await tx.stagedLearnings.remove(before.id);
  const promotion = await promoteLearning(tx, context, joined, at);
  if (promotion.kind === "deleted") {
    settled.skipped += 1;
    return "deleted";
  }
  settled.promoted += 1;
  settled.changes.push(promotion);
  for (const strategy of leftOver(promotion.learning)) {
    if ((await findDuplicate(tx, strategy)) !== undefined) continue;
    const other = await promoteLearning(tx, context, strategy, at);
    if (other.kind !== "deleted") settled.changes.push(other);
  }
  return "settled";
}

/** Whether the evidence of several tasks together may suffice where one task's does not. */
function addsUp(learning: ExtractedLearning): boolean {
  return learning.type === "estimate" || isHabit(learning);
}

function isValid(learning: ExtractedLearning): boolean {
  const confidence = addsUp(learning) ? Math.max(learning.confidence, minConfidence) : learning.confidence;
  return validateLearning({ ...learning, confidence }, learningTypes).valid;
}

function hasEnoughEvidence(learning: ExtractedLearning): boolean {
  const { type, confidence, sourceLoops, merged } = learning;
  if (isHabit(learning)) return hasAgreement(Object.values(merged?.sources ?? {}));
  const isRepeated = new Set(sourceLoops).size >= minRepeats;
  return type === "estimate" ? isRepeated && confidence >= minConfidence : isRepeated;
}

/** What was said about a failure whose best known remedy is another one, as strategies. */
function leftOver(record: Learning): ExtractedLearning[] {
  const { taskType, category = "general", files = [], merged, source_episodes: episodes = [] } = record;
  const { prevention: best = "" } = record.content;
  const isDenied = (remedy: string) => deniesRemedy(best, { problem: statementOf(record), remedy });
  return otherStatements(merged?.sources ?? {})
    .filter(({ statement }) => !isDenied(statement))
    .map(({ statement, source }) => ({
      type: "strategy",
      taskType,
      category,
      content: { description: statement, effectiveness: 1, iterations: 1 },
      conditions: [statementOf(record)],
      confidence: record.confidence,
      successRate: 1,
      sourceLoops: [source],
      source_episodes: episodes.filter((episode) => episode.startsWith(`${source}/`)),
      files,
    }));
}

export interface Consolidated {
  episodes: number;
  clusters: number;
  /** New and strengthened learnings, each once. */
  changes: { kind: "added" | "strengthened"; learning: Learning }[];
  /** Staged for a review. */
  staged: number;
  merged: MergedDuplicates[];
}

interface ConsolidationInput {
  episodes: readonly Episode[];
  /** What the tasks showed, without what was said: that is in the episodes. */
  findings: readonly Finding[];
  isReviewed: boolean;
}

/** Settles what tasks showed, and the patterns that similar tasks agree on. */
export async function consolidate(
  tx: Repositories,
  context: PipelineContext,
  { episodes, findings, isReviewed }: ConsolidationInput,
): Promise<Omit<Consolidated, "merged">> {
  const created = context.clock().toISOString();
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
  for (const { learning } of changes)
    for (const episode of learning.source_episodes ?? [])
      await tx.links.add({ from: learning.id, to: episode, relation: "derived_from", created });
  return { episodes: episodes.length, clusters: clusters.length, changes, staged: settled.staged };
}

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
  context: PipelineContext,
  loop: LoopState,
  { isReviewed }: { isReviewed: boolean },
): Promise<PipelineResult> {
  const found = extractLearnings(loop);
  const heldBack = found.filter((learning) => isReviewed || instructionIn(learning) !== undefined);
  await stageLearnings(tx.stagedLearnings, heldBack, context.clock());
  const others = found.filter((learning) => !heldBack.includes(learning));
  return { ...(await stageAndPromote(tx, context, others, {})), extracted: found.length };
}

async function stageAndPromote(
  tx: Repositories,
  context: PipelineContext,
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
