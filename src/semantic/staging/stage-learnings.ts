import {
  type ExtractedLearning,
  learningTypes,
  type StagedLearning,
} from "../../domain/knowledge/learning.js";
import { withStatement } from "../../domain/knowledge/with-statement.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Repositories } from "../../store/store.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { validateLearning } from "./validate-learning.js";

export interface StagingStats {
  total: number;
  pending: number;
  validated: number;
  rejected: number;
  /** Pending ones that another task must confirm first; not counted as pending. */
  awaiting?: number;
}

/** Adds findings to the staging area as pending. */
export async function stageLearnings(
  tx: Repositories,
  found: readonly ExtractedLearning[],
  now: Date,
  { awaitsEvidence = false }: { awaitsEvidence?: boolean } = {},
): Promise<StagedLearning[]> {
  const staged: StagedLearning[] = [];
  for (const learning of found) {
    const entry: StagedLearning = {
      id: await freeId(tx, now.getTime(), staged.length),
      learning: redactDeep(learning),
      status: "pending",
      stagedAt: now.toISOString(),
      ...(awaitsEvidence && { awaitsEvidence }),
    };
    await tx.stagedLearnings.add(entry);
    staged.push(entry);
  }
  return staged;
}

/** Another process may have staged in the same millisecond. */
async function freeId(tx: Repositories, milliseconds: number, from: number): Promise<string> {
  for (let number = from; ; number += 1) {
    const id = `stage-${milliseconds}-${number}`;
    if ((await tx.stagedLearnings.find(id)) === undefined) return id;
  }
}

/** Pending learnings, without those that another task must confirm first. */
async function listForReview(tx: Repositories): Promise<StagedLearning[]> {
  return (await tx.stagedLearnings.list("pending")).filter(({ awaitsEvidence }) => !awaitsEvidence);
}

/** Validates all pending learnings that wait for a decision. */
export async function validateStaged(
  tx: Repositories,
  now: string,
): Promise<{ validated: number; rejected: number }> {
  const checked = await validateAll(tx, await listForReview(tx), now);
  const rejected = checked.filter(({ status }) => status === "rejected").length;
  return { validated: checked.length - rejected, rejected };
}

/** Validates these, whatever their status, or all that wait for a decision; returns those rejected. */
export async function rejectInvalid(
  tx: Repositories,
  ids: readonly string[] | undefined,
  now: string,
): Promise<StagedLearning[]> {
  const entries = ids === undefined ? await listForReview(tx) : await getAllStaged(tx, ids);
  return (await validateAll(tx, entries, now)).filter(({ status }) => status === "rejected");
}

async function validateAll(
  tx: Repositories,
  entries: readonly StagedLearning[],
  now: string,
): Promise<StagedLearning[]> {
  const checked: StagedLearning[] = [];
  for (const { rejectionReason: _reason, ...entry } of entries)
    checked.push(await validateEntry(tx, entry, now));
  return checked;
}

async function getAllStaged(tx: Repositories, ids: readonly string[]): Promise<StagedLearning[]> {
  const entries: StagedLearning[] = [];
  for (const id of new Set(ids)) entries.push(await getStaged(tx, id));
  return entries;
}

async function validateEntry(tx: Repositories, entry: StagedLearning, now: string): Promise<StagedLearning> {
  const validation = validateLearning(entry.learning, learningTypes);
  const checked: StagedLearning = validation.valid
    ? { ...entry, status: "validated", validatedAt: now }
    : { ...entry, status: "rejected", rejectionReason: validation.reason };
  await tx.stagedLearnings.save(checked);
  return checked;
}

/** Rejects after a review. */
export async function rejectStaged(
  tx: Repositories,
  id: string,
  reason: string,
  reviewer?: string,
): Promise<StagedLearning> {
  const { validatedAt: _validated, ...entry } = await getStaged(tx, id);
  const learning = reviewedBy(entry.learning, reviewer);
  const rejected: StagedLearning = { ...entry, learning, status: "rejected", rejectionReason: reason };
  await tx.stagedLearnings.save(rejected);
  return rejected;
}

export function reviewedBy(learning: ExtractedLearning, reviewer: string | undefined): ExtractedLearning {
  return reviewer === undefined ? learning : { ...learning, reviewed_by: [reviewer] };
}

/** Accepts after a review, with a new statement if one is given; throws when the learning is not valid. */
export async function acceptStaged(
  tx: Repositories,
  id: string,
  { statement, now }: { statement?: string | undefined; now: string },
): Promise<StagedLearning> {
  const { rejectionReason: _reason, ...entry } = await getStaged(tx, id);
  const learning =
    statement === undefined ? entry.learning : redactDeep(withStatement(entry.learning, statement));
  const checked = await validateEntry(tx, { ...entry, learning }, now);
  if (checked.status === "rejected") {
    throw new RalphError("wrong-use", `${id} cannot be accepted: ${checked.rejectionReason}`);
  }
  return checked;
}

export async function getStaged(tx: Repositories, id: string): Promise<StagedLearning> {
  const entry = await tx.stagedLearnings.find(id);
  if (entry !== undefined) return entry;
  const waiting = (await tx.stagedLearnings.list()).slice(0, 3).map((each) => each.id);
  throw new RalphError("not-found", `Staged learning not found: ${id}`, {
    hint: waiting.length === 0 ? "nothing is staged" : `staged: ${waiting.join(", ")}`,
  });
}

export async function stagingStats(repositories: Repositories): Promise<StagingStats> {
  const staged = await repositories.stagedLearnings.list();
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
