import {
  type ExtractedLearning,
  type Learning,
  learningTypes,
  type StagedLearning,
} from "../../domain/knowledge/learning.js";
import { statementOf, withStatement } from "../../domain/knowledge/statement.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { StagedLearnings } from "../../store/repositories/knowledge/staged-learnings.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { compareStatements, sameStatement } from "../../words/similarity.js";
import { statementWords } from "../../words/statement-words.js";
import { strengthenLearning } from "../merge/merge-learnings.js";
import { isComparedByKey, statementKey } from "../records/write-learning.js";
import { validateLearning } from "./validate-learning.js";

/** Where findings wait: as it is stored, or as it will be. */
export type StagingArea = Pick<StagedLearnings, "list" | "listAwaiting" | "find" | "add" | "save" | "remove">;

/** The staging area, read at once; what changes is seen at once, and only what is left of it in the end is written. */
export async function readStagingArea(
  stored: StagingArea,
): Promise<StagingArea & { write(): Promise<void> }> {
  const before = new Map((await stored.list()).map((entry) => [entry.id, entry]));
  // In the order in which they were added.
  const now = new Map(before);
  const list = (isListed: (entry: StagedLearning) => boolean) => [...now.values()].filter(isListed);
  const added = new Set<string>();
  return {
    list: async (status) => list((entry) => status === undefined || entry.status === status),
    listAwaiting: async () =>
      list(({ status, awaitsEvidence }) => status === "pending" && awaitsEvidence === true),
    find: async (id) => now.get(id),
    async add(entry) {
      added.add(entry.id);
      now.set(entry.id, entry);
    },
    async save(entry) {
      now.set(entry.id, entry);
    },
    async remove(id) {
      added.delete(id);
      now.delete(id);
    },
    async write() {
      for (const id of before.keys()) if (!now.has(id) || added.has(id)) await stored.remove(id);
      for (const [id, entry] of now) {
        if (added.has(id)) await stored.add(entry);
        else if (entry !== before.get(id)) await stored.save(entry);
      }
    },
  };
}

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

async function getStaged(staging: StagingArea, id: string): Promise<StagedLearning> {
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

/** Findings that no other task confirms are given up beyond this number, the longest unconfirmed first. */
export const maxAwaiting = 300;

interface StagingChoice {
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
