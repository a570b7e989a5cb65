import { isDeepStrictEqual } from "node:util";
import type { Learning, LearningsDocument } from "../domain/learning.js";
import type { Repositories } from "../store/store.js";
import { redactDeep } from "../text/redact.js";
import { findSame } from "./find-same.js";
import { addLearning, removeLearning, saveLearning, toRow } from "./keep-learning.js";
import { mergeLearnings } from "./merge-learnings.js";
import { checkLearnings } from "./parse-import.js";
import { makeDocument } from "./render-export.js";
import type { SemanticContext } from "./semantic-context.js";

export interface Imported {
  added: number;
  /** Merged with a record that was here: the same one, or one that says the same. */
  merged: number;
  /** Known in every respect. */
  unchanged: number;
  /** Deleted here before. */
  skipped: number;
}

/** The whole store in the published form, and how many learnings are of types that it does not know. */
export async function loadDocument({
  store,
}: Pick<SemanticContext, "store">): Promise<{ document: LearningsDocument; leftOut: number }> {
  const learnings = (await store.learnings.listAll()).map(({ learning }) => learning);
  const { lastUpdated } = await store.learnings.totals();
  return makeDocument(learnings, lastUpdated ?? new Date(0).toISOString());
}

/**
 * Applies what was changed in a document since it was loaded: records added by others meanwhile stay. Without what it was
 * before, everything in it is new or changed, and nothing is removed.
 */
export async function saveDocument(
  { store, clock }: SemanticContext,
  document: LearningsDocument,
  before: readonly Learning[],
): Promise<void> {
  const learnings = checkLearnings(document.learnings).map(redactDeep);
  const known = new Map(before.map((learning) => [learning.id, learning]));
  const kept = new Set(learnings.map(({ id }) => id));
  await store.transaction(async (tx) => {
    for (const { id } of before) if (!kept.has(id)) await removeLearning(tx, id, clock().toISOString());
    for (const learning of learnings) {
      if (isDeepStrictEqual(known.get(learning.id), learning)) continue;
      await tx.learnings.forgetDeleted(learning.id);
      if ((await tx.learnings.find(learning.id)) === undefined) await addLearning(tx, learning);
      else await saveLearning(tx, learning);
    }
  });
}

/** Joins learnings of another store: by id, then by what they say. What was deleted here stays deleted. */
export async function joinLearnings(tx: Repositories, learnings: readonly Learning[]): Promise<Imported> {
  const result: Imported = { added: 0, merged: 0, unchanged: 0, skipped: 0 };
  for (const learning of learnings.map(redactDeep)) {
    const same = (await tx.learnings.find(learning.id))?.learning ?? (await findSame(tx, learning));
    if (same === undefined) {
      if (await tx.learnings.wasDeleted(toRow(learning))) {
        result.skipped += 1;
        continue;
      }
      await addLearning(tx, learning);
      result.added += 1;
      continue;
    }
    const merged = { ...mergeLearnings(same, learning), id: same.id };
    if (isDeepStrictEqual(merged, same)) {
      result.unchanged += 1;
      continue;
    }
    await saveLearning(tx, merged);
    result.merged += 1;
  }
  return result;
}

export type Verification = { valid: true } | { valid: false; error: string };

/** Compares every record with the checksum it was stored with. */
export async function verifyLearnings({ store }: Pick<SemanticContext, "store">): Promise<Verification> {
  const rows = await store.learnings.listAll();
  const wrong = rows.filter((row) => toRow(row.learning).checksum !== row.checksum);
  if (wrong.length === 0) return { valid: true };
  const ids = wrong.slice(0, 3).map(({ learning }) => learning.id);
  return { valid: false, error: `Checksum mismatch: ${ids.join(", ")}` };
}
