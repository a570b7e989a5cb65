import type { Learning } from "../../domain/knowledge/learning.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import type { LearningRow, RawLearning } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import { isIntact, isIntactRow, recordChecksum } from "../integrity/checksum.js";
import { indexLearning } from "./index-learning.js";
import { queryScore } from "./query-score.js";
import { statementKey } from "./statement-key.js";

export async function addLearning(tx: Repositories, learning: Learning): Promise<void> {
  await tx.learnings.add(toRow(learning));
  await indexLearning(tx, learning);
}

/** Saves a change to the record with the same id. */
export async function saveLearning(tx: Repositories, learning: Learning): Promise<void> {
  const [stored] = await tx.learnings.listRaw([learning.id]);
  await tx.learnings.save(withChecksumOf(stored, toRow(learning)));
  await indexLearning(tx, learning);
}

/** Saves records whose texts are unchanged, without reindexing them; `stored` are those that are to be replaced. */
export async function saveFigures(
  tx: Repositories,
  learnings: readonly Learning[],
  stored: readonly RawLearning[],
): Promise<void> {
  const known = new Map(stored.map((each) => [each.id, each]));
  for (const learning of learnings)
    await tx.learnings.save(withChecksumOf(known.get(learning.id), toRow(learning)));
}

/** Replaces the record with the same id, even if it was altered. */
export async function replaceLearning(tx: Repositories, learning: Learning): Promise<void> {
  await tx.learnings.save(toRow(learning));
  await indexLearning(tx, learning);
}

/** The row of a changed record, given the one that is stored. */
export function changedRow(stored: LearningRow, learning: Learning): LearningRow {
  return isIntactRow(stored) ? toRow(learning) : { ...toRow(learning), checksum: stored.checksum };
}

/** A change to an altered record keeps its checksum, which does not match: a new one would hide the alteration. */
function withChecksumOf(stored: RawLearning | undefined, row: LearningRow): LearningRow {
  return stored === undefined || isIntact(stored) ? row : { ...row, checksum: stored.checksum };
}

/** False when there is no such learning. */
export async function removeLearning(tx: Repositories, id: string, time: string): Promise<boolean> {
  await tx.lexical.remove({ kind: learningKind, id, source: "" });
  // What it superseded becomes current again.
  for (const { learning } of await tx.learnings.listSupersededBy(id)) {
    const { superseded_by: _gone, ...shown } = learning;
    await saveLearning(tx, shown);
  }
  for (const link of await tx.links.listForRecord(id)) await tx.links.remove(link);
  return tx.learnings.remove(id, time);
}

/** Removes every record, damaged ones included, and returns their number. */
export async function removeAllLearnings(tx: Repositories): Promise<number> {
  const rows = await tx.learnings.listRaw();
  for (const { id } of rows) await tx.lexical.remove({ kind: learningKind, id, source: "" });
  await tx.learnings.removeAll();
  return rows.length;
}

export function toRow(learning: Learning): LearningRow {
  return {
    learning,
    likeness: statementKey(learning),
    score: queryScore(learning),
    checksum: recordChecksum(learning),
  };
}
