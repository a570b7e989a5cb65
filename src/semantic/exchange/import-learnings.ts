import {
  type ExtractedLearning,
  type Learning,
  learningTypes,
  type StagedLearning,
} from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { addsNothing } from "../merge/merge-learnings.js";
import { figuresOf } from "../merge/source-figures.js";
import { findKnown } from "../records/find-duplicate.js";
import { StatementIndex } from "../records/statement-index.js";
import { toRow } from "../records/write-learning.js";
import { joinEvidence, restage, stageLearnings } from "../staging/stage-learnings.js";
import { instructionIn, reasonToReview, validateLearning } from "../staging/validate-learning.js";
import { type Imported, type JoinOptions, joinLearnings } from "./exchange-learnings.js";

export interface ImportedDocument extends Imported {
  /** Staged for a review, each with the reason. */
  staged: { id: string; reason: string }[];
}

interface ImportLearningsOptions extends JoinOptions {
  /** Whether a person reviews everything. */
  isReviewed: boolean;
  now: Date;
  /** Called for each that is staged, with the id of the entry. */
  onStaged?(learning: Learning, id: string): void;
}

/**
 * Learnings that somebody else had promoted enter as learnings, marked as imported. They are staged instead if a person reviews
 * everything, and if they read like instructions to an agent.
 */
export async function importLearnings(
  tx: Repositories,
  learnings: readonly Learning[],
  { isReviewed, now, isApart, onJoined, onStaged = () => undefined }: ImportLearningsOptions,
): Promise<ImportedDocument> {
  const imported = learnings.map((learning): Learning => ({ ...redactDeep(learning), origin: "import" }));
  const heldBack = new Set(
    imported.filter((learning) => isReviewed || instructionIn(learning) !== undefined),
  );
  const joined = await joinLearnings(
    tx,
    imported.filter((learning) => !heldBack.has(learning)),
    { ...(isApart && { isApart }), ...(onJoined && { onJoined }) },
  );
  const result: ImportedDocument = { ...joined, staged: [] };
  if (heldBack.size === 0) return result;
  const earlier = await earlierDecisions(tx);
  const fresh: { learning: Learning; found: ExtractedLearning }[] = [];
  const staged = (learning: Learning, id: string) => {
    result.staged.push({ id, reason: reasonOf(learning) });
    onStaged(learning, id);
  };
  for (const learning of heldBack) {
    const found = toFinding(learning);
    const decision = await decideOn(tx, { learning, found }, earlier, now);
    if (decision !== "stage") {
      result[decision] += 1;
      onJoined?.(learning, decision, learning.id);
    } else {
      const [same] = earlier.waiting.listDuplicates(found);
      if (same === undefined) {
        fresh.push({ learning, found });
        earlier.waiting.add({ ...learning, id: `new ${fresh.length}` });
      } else {
        const before = earlier.pending.get(same.id);
        if (before?.awaitsEvidence) {
          const joined = joinEvidence(before.learning, found, now.toISOString());
          await restage(tx.stagedLearnings, joined, { before, awaitsEvidence: false, now });
        }
        if (before !== undefined) staged(learning, same.id);
      }
    }
  }
  const entries = await stageLearnings(
    tx.stagedLearnings,
    fresh.map(({ found }) => found),
    now,
  );
  for (const [index, { id }] of entries.entries()) {
    const learning = fresh[index]?.learning;
    if (learning !== undefined) staged(learning, id);
  }
  return result;
}

function reasonOf(found: ExtractedLearning): string {
  return reasonToReview(found) ?? "imported";
}

interface Earlier {
  pending: Map<string, StagedLearning>;
  waiting: StatementIndex;
  turnedDown: StatementIndex;
}

/** What is staged already; those that only failed validation were not turned down by a person. */
async function earlierDecisions(tx: Repositories): Promise<Earlier> {
  const pending = await tx.stagedLearnings.list("pending");
  const rejected = (await tx.stagedLearnings.list("rejected")).filter(
    ({ learning }) => validateLearning(learning, learningTypes).valid,
  );
  return {
    pending: new Map(pending.map((entry) => [entry.id, entry])),
    waiting: new StatementIndex(pending.map(asRecord)),
    turnedDown: new StatementIndex(rejected.map(asRecord)),
  };
}

function asRecord({ id, learning, stagedAt }: StagedLearning): Learning {
  return { ...learning, id, createdAt: stagedAt, updatedAt: stagedAt, useCount: 0 };
}

async function decideOn(
  tx: Repositories,
  { learning, found }: { learning: Learning; found: ExtractedLearning },
  { turnedDown }: Earlier,
  now: Date,
): Promise<"unchanged" | "skipped" | "stage"> {
  const known = (await tx.learnings.find(learning.id))?.learning ?? (await findKnown(tx, found));
  if (known !== undefined && addsNothing(known, found, now.toISOString())) return "unchanged";
  // What is superseded is shown to nobody, and needs no review.
  const isOver = learning.superseded_by !== undefined || (await tx.learnings.wasDeleted(toRow(learning)));
  return isOver || turnedDown.listDuplicates(found).length > 0 ? "skipped" : "stage";
}

/** The record as a finding. Without sources, it remains its own source, so that importing it again adds nothing. */
function toFinding(record: Learning): ExtractedLearning {
  const { id: _id, createdAt, updatedAt, useCount, last_used, superseded_by, ...found } = record;
  if (found.merged !== undefined || found.sourceLoops.length > 0) return found;
  const sources = Object.fromEntries(figuresOf(record));
  return { ...found, merged: { wordingConfidence: found.confidence, sources, uses: {} } };
}
