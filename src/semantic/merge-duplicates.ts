import type { Repositories } from "../store/store.js";
import { saveLearning } from "./keep-learning.js";
import { mergeLearnings } from "./merge-learnings.js";
import { StatementIndex } from "./statement-index.js";

export interface MergedDuplicates {
  kept: string;
  superseded: string[];
}

/** Merges learnings that say the same into the most confident one; the others stay, marked with the one that took their place. */
export async function mergeDuplicates(tx: Repositories, now: string): Promise<MergedDuplicates[]> {
  const learnings = (await tx.learnings.list({})).map(({ learning }) => learning);
  const index = new StatementIndex(learnings);
  const gone = new Set<string>();
  const merges: MergedDuplicates[] = [];
  for (const learning of learnings) {
    if (gone.has(learning.id)) continue;
    const twins = index.listSame(learning).filter(({ id }) => id !== learning.id && !gone.has(id));
    if (twins.length === 0) continue;
    const merged = twins.reduce(mergeLearnings, learning);
    const superseded = [learning, ...twins].filter(({ id }) => id !== merged.id);
    for (const { id } of [learning, ...twins]) gone.add(id);
    merges.push({ kept: merged.id, superseded: superseded.map(({ id }) => id) });
    await saveLearning(tx, { ...merged, updatedAt: now });
    for (const twin of superseded) {
      await saveLearning(tx, { ...twin, superseded_by: merged.id });
      await tx.links.add({ from: twin.id, to: merged.id, relation: "superseded_by", created: now });
    }
  }
  return merges;
}
