import type { ExtractedLearning, StagedLearning } from "../../domain/knowledge/learning.js";
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
}

/** Puts findings where they wait for validation. */
export async function stageLearnings(
  tx: Repositories,
  found: readonly ExtractedLearning[],
  now: Date,
): Promise<StagedLearning[]> {
  const staged: StagedLearning[] = [];
  for (const learning of found) {
    const entry: StagedLearning = {
      id: await freeId(tx, now.getTime(), staged.length),
      learning: redactDeep(learning),
      status: "pending",
      stagedAt: now.toISOString(),
    };
    await tx.stagedLearnings.add(entry);
    staged.push(entry);
  }
  return staged;
}

/** Numbers go on where another process staged in the same millisecond. */
async function freeId(tx: Repositories, milliseconds: number, from: number): Promise<string> {
  for (let number = from; ; number += 1) {
    const id = `stage-${milliseconds}-${number}`;
    if ((await tx.stagedLearnings.find(id)) === undefined) return id;
  }
}

/** Judges what is pending. */
export async function validateStaged(
  tx: Repositories,
  now: string,
): Promise<{ validated: number; rejected: number }> {
  const judged = await judgeAll(tx, await tx.stagedLearnings.list("pending"), now);
  const rejected = judged.filter(({ status }) => status === "rejected").length;
  return { validated: judged.length - rejected, rejected };
}

/** Judges these, whatever became of them before, or what is pending; returns those that were turned down. */
export async function turnDownStaged(
  tx: Repositories,
  ids: readonly string[] | undefined,
  now: string,
): Promise<StagedLearning[]> {
  const entries = ids === undefined ? await tx.stagedLearnings.list("pending") : await getAllStaged(tx, ids);
  return (await judgeAll(tx, entries, now)).filter(({ status }) => status === "rejected");
}

async function judgeAll(
  tx: Repositories,
  entries: readonly StagedLearning[],
  now: string,
): Promise<StagedLearning[]> {
  const judged: StagedLearning[] = [];
  for (const { rejectionReason: _reason, ...entry } of entries) judged.push(await judge(tx, entry, now));
  return judged;
}

async function getAllStaged(tx: Repositories, ids: readonly string[]): Promise<StagedLearning[]> {
  const entries: StagedLearning[] = [];
  for (const id of new Set(ids)) entries.push(await getStaged(tx, id));
  return entries;
}

async function judge(tx: Repositories, entry: StagedLearning, now: string): Promise<StagedLearning> {
  const validation = validateLearning(entry.learning);
  const judged: StagedLearning = validation.valid
    ? { ...entry, status: "validated", validatedAt: now }
    : { ...entry, status: "rejected", rejectionReason: validation.reason };
  await tx.stagedLearnings.save(judged);
  return judged;
}

/** A person's word: rejected with a reason. */
export async function rejectStaged(tx: Repositories, id: string, reason: string): Promise<StagedLearning> {
  const { validatedAt: _validated, ...entry } = await getStaged(tx, id);
  const rejected: StagedLearning = { ...entry, status: "rejected", rejectionReason: reason };
  await tx.stagedLearnings.save(rejected);
  return rejected;
}

/** A person's word: accepted, as it is or in other words. It has to be valid all the same. */
export async function acceptStaged(
  tx: Repositories,
  id: string,
  { statement, now }: { statement?: string | undefined; now: string },
): Promise<StagedLearning> {
  const { rejectionReason: _reason, ...entry } = await getStaged(tx, id);
  const learning =
    statement === undefined ? entry.learning : redactDeep(withStatement(entry.learning, statement));
  const judged = await judge(tx, { ...entry, learning }, now);
  if (judged.status === "rejected") {
    throw new RalphError("wrong-use", `${id} cannot be accepted: ${judged.rejectionReason}`);
  }
  return judged;
}

export async function getStaged(tx: Repositories, id: string): Promise<StagedLearning> {
  const entry = await tx.stagedLearnings.find(id);
  if (entry !== undefined) return entry;
  const waiting = (await tx.stagedLearnings.list()).slice(0, 3).map((each) => each.id);
  throw new RalphError("not-found", `Nothing is staged as ${id}`, {
    hint: waiting.length === 0 ? "nothing is staged" : `staged are ${waiting.join(", ")}`,
  });
}

export async function stagingStats(repositories: Repositories): Promise<StagingStats> {
  const staged = await repositories.stagedLearnings.list();
  const count = (status: string) => staged.filter((entry) => entry.status === status).length;
  return {
    total: staged.length,
    pending: count("pending"),
    validated: count("validated"),
    rejected: count("rejected"),
  };
}
