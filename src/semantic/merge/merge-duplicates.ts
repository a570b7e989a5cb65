import type { Learning } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { isIntactRow } from "../records/checksum.js";
import { StatementIndex } from "../records/statement-index.js";
import { saveLearning } from "../records/write-learning.js";
import { mergeLearnings } from "./merge-learnings.js";

export interface MergedDuplicates {
  kept: string;
  superseded: string[];
}

/** Merges learnings that say the same into the most confident one; the others are kept as superseded. */
export async function mergeDuplicates(tx: Repositories, now: string): Promise<MergedDuplicates[]> {
  return mergeGroups(tx, await groupDuplicates(tx), now);
}

/** Groups of ids that say the same. Takes seconds in a large store, so call it outside a transaction. */
export async function groupDuplicates(repositories: Repositories): Promise<string[][]> {
  const learnings = (await repositories.learnings.list({})).map(({ learning }) => learning);
  const index = new StatementIndex(learnings);
  const seen = new Set<string>();
  const groups: string[][] = [];
  for (const learning of learnings) {
    if (seen.has(learning.id)) continue;
    const duplicates = index.listDuplicates(learning).filter(({ id }) => id !== learning.id && !seen.has(id));
    if (duplicates.length === 0) continue;
    const group = [learning, ...duplicates].map(({ id }) => id);
    for (const id of group) seen.add(id);
    groups.push(group);
  }
  return groups;
}

export async function mergeGroups(
  tx: Repositories,
  groups: readonly (readonly string[])[],
  now: string,
): Promise<MergedDuplicates[]> {
  const merges: MergedDuplicates[] = [];
  for (const ids of groups) {
    const [first, ...others] = await listCurrent(tx, ids);
    if (first === undefined || others.length === 0) continue;
    const merged = others.reduce(mergeLearnings, first);
    const superseded = [first, ...others].filter(({ id }) => id !== merged.id);
    merges.push({ kept: merged.id, superseded: superseded.map(({ id }) => id) });
    await saveLearning(tx, { ...merged, updatedAt: now });
    for (const duplicate of superseded) {
      await saveLearning(tx, { ...duplicate, superseded_by: merged.id });
      await tx.links.add({ from: duplicate.id, to: merged.id, relation: "superseded_by", created: now });
    }
  }
  return merges;
}

/** Some of them may have been deleted, merged or altered in the meantime. */
async function listCurrent(tx: Repositories, ids: readonly string[]): Promise<Learning[]> {
  const rows = await Promise.all(ids.map((id) => tx.learnings.find(id)));
  return rows.flatMap((row) =>
    row === undefined || row.learning.superseded_by !== undefined || !isIntactRow(row) ? [] : [row.learning],
  );
}
