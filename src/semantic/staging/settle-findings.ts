import { type ExtractedLearning, type Learning, learningTypes } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import type { Repositories } from "../../store/store.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { Finding } from "../extract/extract-from-task.js";
import { minConfidence, minRepeats } from "../learning-limits.js";
import { otherStatements } from "../merge/best-remedy.js";
import { hasAgreement } from "../merge/convention-figures.js";
import { addsNothing } from "../merge/merge-learnings.js";
import { findDuplicate } from "../records/find-duplicate.js";
import { isHabit } from "../records/statement-key.js";
import { deniesRemedy } from "../replace/denied-remedy.js";
import type { SemanticContext } from "../semantic-context.js";
import { findKnown, type Promotion, promoteLearning, promoteStaged } from "./promote-learnings.js";
import { joinEvidence, stageFinding, wasTurnedDown } from "./stage-finding.js";
import { validateLearning } from "./validate-learning.js";

export interface Settled {
  extracted: number;
  promoted: number;
  skipped: number;
  rejected: number;
  /** Staged for a review. */
  staged: number;
  /** Promoted or strengthened. */
  changes: Extract<Promotion, { learning: Learning }>[];
}

/**
 * Every finding of a task goes through the staging area. What is worth keeping is promoted at once, or with a review waits for a
 * person; the rest waits until another task confirms it.
 */
export async function settleFindings(
  tx: Repositories,
  context: Omit<SemanticContext, "store">,
  findings: readonly Finding[],
  { isReviewed }: { isReviewed: boolean },
): Promise<Settled> {
  const now = context.clock();
  const settled: Settled = {
    ...{ extracted: findings.length, promoted: 0, skipped: 0, rejected: 0, staged: 0 },
    changes: [],
  };
  for (const { learning: found, isReady } of findings) {
    const alone = redactDeep(found);
    if (!isValid(alone) || (await wasTurnedDown(tx, alone))) {
      settled.rejected += 1;
      continue;
    }
    const known = await findKnown(tx, alone);
    // A review of what is known already would be a waste of time.
    if (isReviewed && known !== undefined && addsNothing(known, alone, now.toISOString())) continue;
    const learning =
      known !== undefined && addsUp(alone) ? joinEvidence(known, alone, now.toISOString()) : alone;
    const isAwaiting = (joined: ExtractedLearning) =>
      !isReady && known === undefined && !hasEnoughEvidence(joined);
    const staged = await stageFinding(tx, learning, { isReviewed, isAwaiting }, now);
    if (staged.awaitsEvidence) continue;
    if (isReviewed) settled.staged += 1;
    else await promote(tx, context, staged.id, settled);
  }
  return settled;
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
  if (type === "estimate") return confidence >= minConfidence;
  if (isHabit(learning)) return hasAgreement(Object.values(merged?.sources ?? {}));
  return new Set(sourceLoops).size >= minRepeats;
}

async function promote(
  tx: Repositories,
  context: Omit<SemanticContext, "store">,
  id: string,
  settled: Settled,
): Promise<void> {
  const now = context.clock().toISOString();
  const options = { ids: [id], autoValidate: true };
  const { promoted, skipped, promotions } = await promoteStaged(tx, context, options, now);
  settled.promoted += promoted;
  settled.skipped += skipped;
  settled.changes.push(...promotions);
  for (const strategy of promotions.flatMap(({ learning }) => leftOver(learning))) {
    if ((await findDuplicate(tx, strategy)) !== undefined) continue;
    const promotion = await promoteLearning(tx, context, strategy, now);
    if (promotion.kind !== "deleted") settled.changes.push(promotion);
  }
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
