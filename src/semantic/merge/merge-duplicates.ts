import type { Learning } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { StatementIndex } from "../records/statement-index.js";
import { saveLearning } from "../records/write-learning.js";
import { mergeLearnings } from "./merge-learnings.js";

export interface MergedDuplicates {
  kept: string;
  superseded: string[];
}

/** Merges learnings that say the same into the most confident one; the others stay, marked with the one that took their place. */
export async function mergeDuplicates(tx: Repositories, now: string): Promise<MergedDuplicates[]> {
  return mergeGroups(tx, await groupDuplicates(tx), now);
}

/** The ids of learnings that say the same. Looking takes seconds in a large store, and needs no transaction. */
export async function groupDuplicates(repositories: Repositories): Promise<string[][]> {
  const learnings = (await repositories.learnings.list({})).map(({ learning }) => learning);
  const index = new StatementIndex(learnings);
  const seen = new Set<string>();
  const groups: string[][] = [];
  for (const learning of learnings) {
    if (seen.has(learning.id)) continue;
    const twins = index.listSame(learning).filter(({ id }) => id !== learning.id && !seen.has(id));
    if (twins.length === 0) continue;
    const group = [learning, ...twins].map(({ id }) => id);
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
    const [first, ...others] = await listShown(tx, ids);
    if (first === undefined || others.length === 0) continue;
    const merged = others.reduce(mergeLearnings, first);
    const superseded = [first, ...others].filter(({ id }) => id !== merged.id);
    merges.push({ kept: merged.id, superseded: superseded.map(({ id }) => id) });
    await saveLearning(tx, { ...merged, updatedAt: now });
    for (const twin of superseded) {
      await saveLearning(tx, { ...twin, superseded_by: merged.id });
      await tx.links.add({ from: twin.id, to: merged.id, relation: "superseded_by", created: now });
    }
  }
  return merges;
}

/** Somebody may have deleted or merged some of them meanwhile. */
async function listShown(tx: Repositories, ids: readonly string[]): Promise<Learning[]> {
  const rows = await Promise.all(ids.map((id) => tx.learnings.find(id)));
  return rows.flatMap((row) =>
    row === undefined || row.learning.superseded_by !== undefined ? [] : [row.learning],
  );
}
