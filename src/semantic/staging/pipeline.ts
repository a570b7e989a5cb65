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
import { addsNothing, strengthenLearning } from "../merge/merge-learnings.js";
import { findDuplicate, type KnownLearnings, knownLearnings } from "../records/known-learnings.js";
import { deniesRemedy, readDenied } from "../records/link-to-older.js";
import type { SemanticContext } from "../semantic-context.js";
import {
  findKnown,
  type Promoted,
  type Promoting,
  type Promotion,
  type PromotionOptions,
  promoteFrom,
  promoteLearning,
  promoteStaged,
} from "./promote-learnings.js";
import {
  asRecord,
  joinEvidence,
  readStagingArea,
  type StagingArea,
  stageFinding,
  stageLearnings,
  wasTurnedDown,
} from "./stage-learnings.js";
import { instructionIn, validateLearning } from "./validate-learning.js";

interface Settled {
  extracted: number;
  promoted: number;
  skipped: number;
  rejected: number;
  /** Staged for a review. */
  staged: number;
  /** All findings but those that are not valid, or that a person rejected or deleted before. */
  taken: Finding[];
  /** Promoted or strengthened. */
  changes: Extract<Promotion, { learning: Learning }>[];
}

/** More findings than a task has are looked up in parts. */
const lookedUpTogether = 64;

/**
 * Every finding of a task goes through the staging area. What is worth keeping is promoted at once, or waits for a person: with a
 * review all of it, else what is suspect. The rest waits until another task confirms it.
 */
export async function settleFindings(
  tx: Repositories,
  context: Omit<SemanticContext, "store">,
  findings: readonly Finding[],
  options: { isReviewed: boolean },
): Promise<Settled> {
  const settled: Settled = {
    ...{ extracted: findings.length, promoted: 0, skipped: 0, rejected: 0, staged: 0 },
    taken: [],
    changes: [],
  };
  for (let at = 0; at < findings.length; at += lookedUpTogether)
    await settleSome(tx, context, findings.slice(at, at + lookedUpTogether), options, settled);
  return settled;
}

/** All that is known about the findings is read first, then decided on one after the other, then written. */
async function settleSome(
  tx: Repositories,
  context: Omit<SemanticContext, "store">,
  findings: readonly Finding[],
  { isReviewed }: { isReviewed: boolean },
  settled: Settled,
): Promise<void> {
  const now = context.clock();
  const known = knownLearnings(tx);
  const redacted = findings.map((finding) => ({ ...finding, learning: redactDeep(finding.learning) }));
  const valid = redacted.filter(({ learning }) => isValid(learning));
  settled.rejected += redacted.length - valid.length;
  const [staging] = await Promise.all([
    readStagingArea(tx.stagedLearnings),
    known.readEqual(valid.map(({ learning }) => learning)),
  ]);
  const promoting: Promoting = { ...context, tx, known };
  await Promise.all([
    known.readSimilar(valid.map(({ learning }) => learning)),
    isReviewed || readAhead(known, valid, now.toISOString()),
  ]);
  const unwanted = new Set<Finding>();
  for (const finding of valid) {
    const { learning: alone, isReady, isSuspect = false } = finding;
    if (await wasTurnedDown(staging, alone)) {
      settled.rejected += 1;
      unwanted.add(finding);
      continue;
    }
    const same = await findKnown(known, alone);
    const waits = isReviewed || (isSuspect && same === undefined);
    // A review of what is known already would be a waste of time.
    if (waits && same !== undefined && addsNothing(same, alone, now.toISOString())) continue;
    const learning =
      same !== undefined && addsUp(alone) ? joinEvidence(same, alone, now.toISOString()) : alone;
    const isAwaiting = (joined: ExtractedLearning) =>
      !isReady && same === undefined && !hasEnoughEvidence(joined);
    const staged = await stageFinding(staging, learning, { isReviewed: waits, isAwaiting }, now);
    if (staged.awaitsEvidence) continue;
    if (waits) settled.staged += 1;
    else {
      const at = context.clock().toISOString();
      const { skipped } = await promote(staging, promoting, staged.id, at, settled);
      if (skipped > 0) unwanted.add(finding);
    }
  }
  settled.taken.push(...valid.filter((finding) => !unwanted.has(finding)));
  await known.write();
  await staging.write();
}

/** Reads together what promoting these will probably ask for; whatever else is needed is read when it is. */
async function readAhead(known: KnownLearnings, findings: readonly Finding[], now: string): Promise<void> {
  await Promise.all(
    findings.map(async ({ learning: found, isReady }) => {
      const [same] = await known.listEqual(found);
      if (same === undefined && !isReady) return;
      const promoted = same === undefined ? asRecord(found, now) : strengthenLearning(same, found, now);
      const others = leftOver(promoted);
      await Promise.all([
        ...(same === undefined ? [known.wasDeleted(found), readDenied(known, found)] : []),
        others.length > 0 && known.readEqual(others).then(() => known.readSimilar(others)),
      ]);
    }),
  );
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

async function promote(
  staging: StagingArea,
  promoting: Promoting,
  id: string,
  now: string,
  settled: Settled,
): Promise<Promoted> {
  const options = { ids: [id], autoValidate: true };
  const result = await promoteFrom(staging, promoting, options, now);
  const { promoted, skipped, promotions } = result;
  settled.promoted += promoted;
  settled.skipped += skipped;
  settled.changes.push(...promotions);
  for (const strategy of promotions.flatMap(({ learning }) => leftOver(learning))) {
    if ((await findDuplicate(promoting.known, strategy)) !== undefined) continue;
    const promotion = await promoteLearning(promoting, strategy, now);
    if (promotion.kind !== "deleted") settled.changes.push(promotion);
  }
  return result;
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
