import {
  type ExtractedLearning,
  learningTypes,
  type StagedLearning,
} from "../../domain/knowledge/learning.js";
import { withStatement } from "../../domain/knowledge/statement.js";
import { RalphError } from "../../domain/ralph-error.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { StagingArea } from "./staging-area.js";
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
  staging: StagingArea,
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
async function freeId(staging: StagingArea, milliseconds: number, from: number): Promise<string> {
  for (let number = from; ; number += 1) {
    const id = `stage-${milliseconds}-${number}`;
    if ((await staging.find(id)) === undefined) return id;
  }
}

/** Pending learnings, without those that another task must confirm first. */
async function listForReview(staging: StagingArea): Promise<StagedLearning[]> {
  return (await staging.list("pending")).filter(({ awaitsEvidence }) => !awaitsEvidence);
}

/** Validates all pending learnings that wait for a decision. */
export async function validateStaged(
  staging: StagingArea,
  now: string,
): Promise<{ validated: number; rejected: number }> {
  const checked = await validateAll(staging, await listForReview(staging), now);
  const rejected = checked.filter(({ status }) => status === "rejected").length;
  return { validated: checked.length - rejected, rejected };
}

/** Validates these, whatever their status, or all that wait for a decision; returns those rejected. */
export async function rejectInvalid(
  staging: StagingArea,
  ids: readonly string[] | undefined,
  now: string,
): Promise<StagedLearning[]> {
  const entries = ids === undefined ? await listForReview(staging) : await getAllStaged(staging, ids);
  return (await validateAll(staging, entries, now)).filter(({ status }) => status === "rejected");
}

async function validateAll(
  staging: StagingArea,
  entries: readonly StagedLearning[],
  now: string,
): Promise<StagedLearning[]> {
  const checked: StagedLearning[] = [];
  for (const { rejectionReason: _reason, ...entry } of entries)
    checked.push(await validateEntry(staging, entry, now));
  return checked;
}

async function getAllStaged(staging: StagingArea, ids: readonly string[]): Promise<StagedLearning[]> {
  const entries: StagedLearning[] = [];
  for (const id of new Set(ids)) entries.push(await getStaged(staging, id));
  return entries;
}

async function validateEntry(
  staging: StagingArea,
  entry: StagedLearning,
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
  staging: StagingArea,
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
  staging: StagingArea,
  id: string,
  { statement, now }: { statement?: string | undefined; now: string },
): Promise<StagedLearning> {
  const { rejectionReason: _reason, ...entry } = await getStaged(staging, id);
  const learning =
    statement === undefined ? entry.learning : redactDeep(withStatement(entry.learning, statement));
  const checked = await validateEntry(staging, { ...entry, learning }, now);
  if (checked.status === "rejected") {
    throw new RalphError("wrong-use", `${id} cannot be accepted: ${checked.rejectionReason}`);
  }
  return checked;
}

export async function getStaged(staging: StagingArea, id: string): Promise<StagedLearning> {
  const entry = await staging.find(id);
  if (entry !== undefined) return entry;
  const waiting = (await staging.list()).slice(0, 3).map((each) => each.id);
  throw new RalphError("not-found", `Staged learning not found: ${id}`, {
    hint: waiting.length === 0 ? "nothing is staged" : `staged: ${waiting.join(", ")}`,
  });
}

export async function stagingStats(staging: StagingArea): Promise<StagingStats> {
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
