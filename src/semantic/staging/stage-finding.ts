import {
  type ExtractedLearning,
  type Learning,
  learningTypes,
  type StagedLearning,
} from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { compareStatements, sameStatement } from "../../words/compare/similarity.js";
import { statementWords } from "../../words/compare/statement-words.js";
import { strengthenLearning } from "../merge/merge-learnings.js";
import { isComparedByKey, statementKey } from "../records/statement-key.js";
import { stageLearnings } from "./stage-learnings.js";
import type { StagingArea } from "./staging-area.js";
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
  staging: StagingArea,
  learning: ExtractedLearning,
  { isReviewed, isAwaiting }: StagingChoice,
  now: Date,
): Promise<StagedLearning> {
  const waiting = isReviewed ? await staging.list("pending") : await staging.listAwaiting();
  const same = waiting.find((entry) => saysTheSame(entry.learning, learning));
  if (same === undefined) {
    const awaitsEvidence = isAwaiting(learning);
    const [staged] = await stageLearnings(staging, [learning], now, { awaitsEvidence });
    if (awaitsEvidence) await dropOldest(staging);
    return staged as StagedLearning;
  }
  const joined = joinEvidence(same.learning, learning, now.toISOString());
  const { awaitsEvidence: wasAwaiting = false, ...entry } = same;
  const awaitsEvidence = wasAwaiting && isAwaiting(joined);
  const staged = { ...entry, learning: joined, ...(awaitsEvidence && { awaitsEvidence }) };
  // Added again, it is the newest of those that wait.
  await staging.remove(entry.id);
  await staging.add(staged);
  return staged;
}

async function dropOldest(staging: StagingArea): Promise<void> {
  const awaiting = await staging.listAwaiting();
  for (const { id } of awaiting.slice(0, Math.max(0, awaiting.length - maxAwaiting)))
    await staging.remove(id);
}

/** Whether a person rejected what this says; what only failed validation may come again with more evidence. */
export async function wasTurnedDown(staging: StagingArea, learning: ExtractedLearning): Promise<boolean> {
  const rejected = await staging.list("rejected");
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

/** A finding as if it had been promoted. */
export function asRecord(found: ExtractedLearning, now: string): Learning {
  return { ...found, id: "staged", createdAt: now, updatedAt: now, useCount: 0 };
}

/** The evidence of both, as a finding. */
export function joinEvidence(
  one: ExtractedLearning,
  other: ExtractedLearning,
  now: string,
): ExtractedLearning {
  const {
    id: _id,
    createdAt: _created,
    updatedAt: _updated,
    useCount: _uses,
    last_used: _used,
    superseded_by: _newer,
    ...joined
  } = strengthenLearning(asRecord(one, now), other, now);
  return joined;
}
