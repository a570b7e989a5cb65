import {
  type ExtractedLearning,
  type Learning,
  learningTypes,
  type StagedLearning,
} from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import type { Repositories } from "../../store/store.js";
import { compareStatements, sameStatement } from "../../words/compare/similarity.js";
import { statementWords } from "../../words/compare/statement-words.js";
import { strengthenLearning } from "../merge/merge-learnings.js";
import { isComparedByKey, statementKey } from "../records/statement-key.js";
import { stageLearnings } from "./stage-learnings.js";
import { validateLearning } from "./validate-learning.js";

/** Findings that no other task confirms are given up beyond this number, the longest unconfirmed first. */
export const maxAwaiting = 300;

export interface StagingChoice {
  /** A person decides; otherwise what already waits for a person is left alone. */
  isReviewed: boolean;
  /** Whether another task must confirm it before it is worth anybody's time. */
  isAwaiting(joined: ExtractedLearning): boolean;
}

/** Stages a finding, or adds its evidence to the staged one that says the same. */
export async function stageFinding(
  tx: Repositories,
  learning: ExtractedLearning,
  { isReviewed, isAwaiting }: StagingChoice,
  now: Date,
): Promise<StagedLearning> {
  const { stagedLearnings } = tx;
  const waiting = isReviewed ? await stagedLearnings.list("pending") : await stagedLearnings.listAwaiting();
  const same = waiting.find((entry) => saysTheSame(entry.learning, learning));
  if (same === undefined) {
    const awaitsEvidence = isAwaiting(learning);
    const [staged] = await stageLearnings(tx, [learning], now, { awaitsEvidence });
    if (awaitsEvidence) await dropOldest(tx);
    return staged as StagedLearning;
  }
  const joined = joinEvidence(same.learning, learning, now.toISOString());
  const { awaitsEvidence: wasAwaiting = false, ...entry } = same;
  const awaitsEvidence = wasAwaiting && isAwaiting(joined);
  const staged = { ...entry, learning: joined, ...(awaitsEvidence && { awaitsEvidence }) };
  // Added again, it is the newest of those that wait.
  await stagedLearnings.remove(entry.id);
  await stagedLearnings.add(staged);
  return staged;
}

async function dropOldest(tx: Repositories): Promise<void> {
  const awaiting = await tx.stagedLearnings.listAwaiting();
  for (const { id } of awaiting.slice(0, Math.max(0, awaiting.length - maxAwaiting)))
    await tx.stagedLearnings.remove(id);
}

/** Whether a person rejected what this says; what only failed validation may come again with more evidence. */
export async function wasTurnedDown(tx: Repositories, learning: ExtractedLearning): Promise<boolean> {
  const rejected = await tx.stagedLearnings.list("rejected");
  return rejected.some(
    (entry) => validateLearning(entry.learning, learningTypes).valid && saysTheSame(entry.learning, learning),
  );
}

function saysTheSame(one: ExtractedLearning, other: ExtractedLearning): boolean {
  if (one.type !== other.type || (one.type === "estimate" && one.taskType !== other.taskType)) return false;
  if (statementKey(one) === statementKey(other)) return true;
  if (isComparedByKey(one) || isComparedByKey(other)) return false;
  return (
    compareStatements(statementWords(statementOf(one)), statementWords(statementOf(other))) >= sameStatement
  );
}

/** The evidence of both, as a finding. */
export function joinEvidence(
  one: ExtractedLearning,
  other: ExtractedLearning,
  now: string,
): ExtractedLearning {
  const record: Learning = { ...one, id: "staged", createdAt: now, updatedAt: now, useCount: 0 };
  const {
    id: _id,
    createdAt: _created,
    updatedAt: _updated,
    useCount: _uses,
    last_used: _used,
    superseded_by: _newer,
    ...joined
  } = strengthenLearning(record, other, now);
  return joined;
}
