import {
  type ExtractedLearning,
  type Learning,
  learningTypes,
  type StagedLearning,
} from "../../domain/knowledge/learning.js";
import { withStatement } from "../../domain/knowledge/statement.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { StagedLearnings } from "../../store/repositories/knowledge/staged-learnings.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { strengthenLearning } from "../merge/merge-learnings.js";
import { saysTheSame } from "../records/find-duplicate.js";
import { validateLearning } from "./validate-learning.js";

export interface StagingStats {
  total: number;
  pending: number;
  validated: number;
  rejected: number;
  /** Pending ones that another task must confirm first; not counted as pending. */
  awaiting?: number;
}

/** Findings that no other task confirms are given up beyond this number, the longest unconfirmed first. */
export const maxAwaiting = 300;

/** Adds findings to the staging area as pending. */
export async function stageLearnings(
  staging: StagedLearnings,
  found: readonly ExtractedLearning[],
  now: Date,
  { awaitsEvidence = false }: { awaitsEvidence?: boolean } = {},
): Promise<StagedLearning[]> {
  const staged: StagedLearning[] = [];
  for (const learning of found) {
    const entry: StagedLearning = {
      id: await freeId(staging, now.getTime(), staged.length),
      learning: redactDeep(learning),
      status: "pending",
      stagedAt: now.toISOString(),
      ...(awaitsEvidence && { awaitsEvidence }),
    };
    await staging.add(entry);
    staged.push(entry);
  }
  return staged;
}

/** Another process may have staged in the same millisecond. */
async function freeId(staging: StagedLearnings, milliseconds: number, from: number): Promise<string> {
  for (let number = from; ; number += 1) {
    const id = `stage-${milliseconds}-${number}`;
    if ((await staging.find(id)) === undefined) return id;
  }
}

/** What waits for a review, or for evidence from another task, and says the same. */
export async function findStaged(
  staging: StagedLearnings,
  learning: ExtractedLearning,
  { isReviewed }: { isReviewed: boolean },
): Promise<StagedLearning | undefined> {
  const waiting = isReviewed ? await staging.list("pending") : await staging.listAwaiting();
  return waiting.find((entry) => saysTheSame(entry.learning, learning));
}

/** Stages a finding in the place of an entry that said the same; the newest entry is the last to be given up. */
export async function restage(
  staging: StagedLearnings,
  learning: ExtractedLearning,
  { before, awaitsEvidence, now }: { before: StagedLearning | undefined; awaitsEvidence: boolean; now: Date },
): Promise<string> {
  if (before === undefined) {
    const [staged] = await stageLearnings(staging, [learning], now, { awaitsEvidence });
    if (awaitsEvidence) await dropOldest(staging);
    return (staged as StagedLearning).id;
  }
  const { awaitsEvidence: _before, ...entry } = before;
  await staging.remove(entry.id);
  await staging.add({ ...entry, learning, ...(awaitsEvidence && { awaitsEvidence }) });
  return entry.id;
}

async function dropOldest(staging: StagedLearnings): Promise<void> {
  const awaiting = await staging.listAwaiting();
  for (const { id } of awaiting.slice(0, Math.max(0, awaiting.length - maxAwaiting)))
    await staging.remove(id);
}

/** What a person rejected; what only failed validation may come again with more evidence. */
export async function listTurnedDown(staging: StagedLearnings): Promise<StagedLearning[]> {
  const rejected = await staging.list("rejected");
  return rejected.filter(({ learning }) => validateLearning(learning, learningTypes).valid);
}

/** The evidence of two findings that say the same, as one. */
export function joinEvidence(
  one: ExtractedLearning,
  other: ExtractedLearning,
  now: string,
): ExtractedLearning {
  const record: Learning = { ...one, id: "staged", createdAt: now, updatedAt: now, useCount: 0 };
  const joined = strengthenLearning(record, other, now);
  const { id, createdAt, updatedAt, useCount, last_used, superseded_by, ...found } = joined;
  return found;
}

/** Validates all pending learnings that wait for a decision. */
export async function validateStaged(
  staging: StagedLearnings,
  now: string,
): Promise<{ validated: number; rejected: number }> {
  const checked = await validateAll(staging, await listForReview(staging), now);
  const rejected = checked.filter(({ status }) => status === "rejected").length;
  return { validated: checked.length - rejected, rejected };
}

/** Validates these, whatever their status, or all that wait for a decision; returns those rejected. */
export async function rejectInvalid(
  staging: StagedLearnings,
  ids: readonly string[] | undefined,
  now: string,
): Promise<StagedLearning[]> {
  const entries = ids === undefined ? await listForReview(staging) : [];
  for (const id of new Set(ids)) entries.push(await getStaged(staging, id));
  return (await validateAll(staging, entries, now)).filter(({ status }) => status === "rejected");
}

/** Pending learnings, without those that another task must confirm first. */
async function listForReview(staging: StagedLearnings): Promise<StagedLearning[]> {
  return (await staging.list("pending")).filter(({ awaitsEvidence }) => !awaitsEvidence);
}

async function validateAll(
  staging: StagedLearnings,
  entries: readonly StagedLearning[],
  now: string,
): Promise<StagedLearning[]> {
  const checked: StagedLearning[] = [];
  for (const entry of entries) checked.push(await validateEntry(staging, entry, now));
  return checked;
}

async function validateEntry(
  staging: StagedLearnings,
  { rejectionReason: _before, ...entry }: StagedLearning,
  now: string,
): Promise<StagedLearning> {
  const validation = validateLearning(entry.learning, learningTypes);
  const checked: StagedLearning = validation.valid
    ? { ...entry, status: "validated", validatedAt: now }
    : { ...entry, status: "rejected", rejectionReason: validation.reason };
  await staging.save(checked);
  return checked;
}

/** Rejects after a review. */
export async function rejectStaged(
  staging: StagedLearnings,
  id: string,
  reason: string,
  reviewer?: string,
): Promise<StagedLearning> {
  const { validatedAt: _validated, ...entry } = await getStaged(staging, id);
  const learning = reviewedBy(entry.learning, reviewer);
  const rejected: StagedLearning = { ...entry, learning, status: "rejected", rejectionReason: reason };
  await staging.save(rejected);
  return rejected;
}

export function reviewedBy(learning: ExtractedLearning, reviewer: string | undefined): ExtractedLearning {
  return reviewer === undefined ? learning : { ...learning, reviewed_by: [reviewer] };
}

/** Accepts after a review, with a new statement if one is given; throws when the learning is not valid. */
export async function acceptStaged(
  staging: StagedLearnings,
  id: string,
  { statement, now }: { statement?: string | undefined; now: string },
): Promise<StagedLearning> {
  const entry = await getStaged(staging, id);
  const learning =
    statement === undefined ? entry.learning : redactDeep(withStatement(entry.learning, statement));
  const checked = await validateEntry(staging, { ...entry, learning }, now);
  if (checked.status === "rejected")
    throw new RalphError("wrong-use", `${id} cannot be accepted: ${checked.rejectionReason}`);
  return checked;
}

async function getStaged(staging: StagedLearnings, id: string): Promise<StagedLearning> {
  const entry = await staging.find(id);
  if (entry !== undefined) return entry;
  const waiting = (await staging.list()).slice(0, 3).map((each) => each.id);
  throw new RalphError("not-found", `Staged learning not found: ${id}`, {
    hint: waiting.length === 0 ? "nothing is staged" : `staged: ${waiting.join(", ")}`,
  });
}

export async function stagingStats(staging: StagedLearnings): Promise<StagingStats> {
  const staged = await staging.list();
  const count = (status: string) => staged.filter((entry) => entry.status === status).length;
  const awaiting = staged.filter(
    ({ status, awaitsEvidence }) => status === "pending" && awaitsEvidence,
  ).length;
  return {
    total: staged.length,
    pending: count("pending") - awaiting,
    validated: count("validated"),
    rejected: count("rejected"),
    ...(awaiting > 0 && { awaiting }),
  };
}
