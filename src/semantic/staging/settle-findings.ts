import {
  type ExtractedLearning,
  type Learning,
  learningTypes,
  type StagedLearning,
} from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import type { Repositories } from "../../store/store.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { compareStatements, sameStatement } from "../../words/compare/similarity.js";
import { statementWords } from "../../words/compare/statement-words.js";
import type { Finding } from "../extract/extract-from-task.js";
import { minRepeats } from "../learning-limits.js";
import { otherStatements } from "../merge/best-remedy.js";
import { strengthenLearning } from "../merge/merge-learnings.js";
import { findDuplicate } from "../records/find-duplicate.js";
import { statementKey } from "../records/statement-key.js";
import type { SemanticContext } from "../semantic-context.js";
import { type Promotion, promoteLearning, promoteStaged } from "./promote-learnings.js";
import { stageLearnings } from "./stage-learnings.js";
import { validateLearning } from "./validate-learning.js";

export interface Settled {
  extracted: number;
  promoted: number;
  skipped: number;
  rejected: number;
  /** Promoted or strengthened. */
  changes: Extract<Promotion, { learning: Learning }>[];
}

/**
 * Every finding of a task goes through the staging area. With a review, it stays there until a person decides; otherwise what
 * is worth keeping is promoted at once, and the rest when another task confirms it.
 */
export async function settleFindings(
  tx: Repositories,
  context: Omit<SemanticContext, "store">,
  findings: readonly Finding[],
  { isReviewed }: { isReviewed: boolean },
): Promise<Settled> {
  const now = context.clock().toISOString();
  const settled: Settled = { extracted: findings.length, promoted: 0, skipped: 0, rejected: 0, changes: [] };
  for (const { learning: found, isReady } of findings) {
    const learning = redactDeep(found);
    if (!validateLearning(learning, learningTypes).valid) {
      settled.rejected += 1;
      continue;
    }
    if (isReviewed && (await isDecided(tx, learning))) continue;
    const staged = await stageOrJoin(tx, learning, { isReviewed, now: context.clock() });
    if (isReviewed) continue;
    const isConfirmed = new Set(staged.learning.sourceLoops).size >= minRepeats;
    if (!isReady && !isConfirmed && (await findDuplicate(tx, learning)) === undefined) continue;
    const { promoted, skipped, promotions } = await promoteStaged(
      tx,
      context,
      { ids: [staged.id], autoValidate: true },
      now,
    );
    settled.promoted += promoted;
    settled.skipped += skipped;
    settled.changes.push(...promotions);
    for (const strategy of promotions.flatMap(({ learning: record }) => leftOver(record)))
      if ((await findDuplicate(tx, strategy)) === undefined) {
        const promotion = await promoteLearning(tx, context, strategy, now);
        if (promotion.kind !== "deleted") settled.changes.push(promotion);
      }
  }
  return settled;
}

/** Whether a person has accepted or rejected it already, with the same sources. */
async function isDecided(tx: Repositories, learning: ExtractedLearning): Promise<boolean> {
  const rejected = (await tx.stagedLearnings.list("rejected")).map((entry) => entry.learning);
  const accepted = await findDuplicate(tx, learning);
  const sameStatements = rejected.filter((each) => saysTheSame(each, learning));
  return [...sameStatements, ...(accepted === undefined ? [] : [accepted])].some(({ sourceLoops }) =>
    learning.sourceLoops.every((source) => sourceLoops.includes(source)),
  );
}

/** What was said about a failure whose best known remedy is another one, as strategies. */
function leftOver(record: Learning): ExtractedLearning[] {
  const { taskType, category = "general", files = [], merged, source_episodes: episodes = [] } = record;
  return otherStatements(merged?.sources ?? {}).map(({ statement, source }) => ({
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

/** Stages a finding, or adds its evidence to the staged one that says the same. */
async function stageOrJoin(
  tx: Repositories,
  learning: ExtractedLearning,
  { isReviewed, now }: { isReviewed: boolean; now: Date },
): Promise<StagedLearning> {
  const waiting = isReviewed
    ? await tx.stagedLearnings.list("pending")
    : await tx.stagedLearnings.listAwaiting();
  const same = waiting.find((entry) => saysTheSame(entry.learning, learning));
  if (same === undefined) {
    const [staged] = await stageLearnings(tx, [learning], now, { awaitsEvidence: !isReviewed });
    return staged as StagedLearning;
  }
  const joined = { ...same, learning: joinEvidence(same.learning, learning, now.toISOString()) };
  await tx.stagedLearnings.save(joined);
  return joined;
}

function saysTheSame(one: ExtractedLearning, other: ExtractedLearning): boolean {
  if (one.type !== other.type || (one.type === "estimate" && one.taskType !== other.taskType)) return false;
  if (statementKey(one) === statementKey(other)) return true;
  if (one.type === "estimate" || one.failure_key !== undefined || other.failure_key !== undefined)
    return false;
  return (
    compareStatements(statementWords(statementOf(one)), statementWords(statementOf(other))) >= sameStatement
  );
}

function joinEvidence(one: ExtractedLearning, other: ExtractedLearning, now: string): ExtractedLearning {
  const record: Learning = { ...one, id: "staged", createdAt: now, updatedAt: now, useCount: 0 };
  const {
    id: _id,
    createdAt: _created,
    updatedAt: _updated,
    useCount: _uses,
    ...joined
  } = strengthenLearning(record, other, now);
  return joined;
}
