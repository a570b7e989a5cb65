import type { Learning } from "../domain/learning.js";
import { bagOf } from "../search/bag.js";
import { bagSimilarity, sameStatement } from "../search/similarity.js";
import type { Repositories } from "../store/store.js";
import { listNear } from "./find-same.js";
import { saveLearning } from "./keep-learning.js";
import { likenessOf } from "./likeness.js";
import { mergeLearnings } from "./merge-learnings.js";
import { statementOf } from "./statement.js";

export interface MergedDuplicates {
  kept: string;
  superseded: string[];
}

/** Merges learnings that say the same into the most confident one; the others stay, marked with the one that took their place. */
export async function mergeDuplicates(tx: Repositories, now: string): Promise<MergedDuplicates[]> {
  const gone = new Set<string>();
  const merges: MergedDuplicates[] = [];
  for (const { learning } of await tx.learnings.list({})) {
    if (gone.has(learning.id)) continue;
    const twins = (await listTwins(tx, learning)).filter(({ id }) => !gone.has(id));
    if (twins.length === 0) continue;
    const merged = twins.reduce(mergeLearnings, learning);
    const superseded = [learning, ...twins].filter(({ id }) => id !== merged.id);
    for (const { id } of superseded) gone.add(id);
    gone.add(merged.id);
    merges.push({ kept: merged.id, superseded: superseded.map(({ id }) => id) });
    await saveLearning(tx, { ...merged, updatedAt: now });
    for (const twin of superseded) {
      await saveLearning(tx, { ...twin, superseded_by: merged.id });
      await tx.links.add({ from: twin.id, to: merged.id, relation: "superseded_by", created: now });
    }
  }
  return merges;
}

async function listTwins(tx: Repositories, learning: Learning): Promise<Learning[]> {
  const { id, type, taskType } = learning;
  const equal = (await tx.learnings.listLike(type, taskType, likenessOf(learning))).map(
    (row) => row.learning,
  );
  const bag = bagOf(statementOf(learning));
  const near = type === "estimate" ? [] : await listNear(tx, learning);
  const similar = near.filter(
    (other) => other.taskType === taskType && bagSimilarity(bag, bagOf(statementOf(other))) >= sameStatement,
  );
  const twins = new Map([...equal, ...similar].map((twin) => [twin.id, twin]));
  twins.delete(id);
  return [...twins.values()];
}
