import type { Learning } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";
import { getLearning } from "../records/get-learning.js";

/** What a learning replaced, and what replaced it. */
export interface Lineage {
  /** Those that it replaced, directly or by another. */
  older: Learning[];
  /** The one that replaced it, and so on to the one that holds today. */
  newer: Learning[];
}

/** A damaged or hand-made chain may be a circle. */
const longestChain = 50;

export async function lineageOf(repositories: Repositories, id: string): Promise<Lineage> {
  const learning = await getLearning(repositories, id);
  const seen = new Set([learning.id]);
  const newer: Learning[] = [];
  let last = learning;
  while (last.superseded_by !== undefined && !seen.has(last.superseded_by) && newer.length < longestChain) {
    const next = await repositories.learnings.find(last.superseded_by);
    if (next === undefined) break;
    seen.add(next.learning.id);
    newer.push(next.learning);
    last = next.learning;
  }
  const older: Learning[] = [];
  const open = [learning.id];
  for (let from = open.shift(); from !== undefined && older.length < longestChain; from = open.shift())
    for (const { learning: each } of await repositories.learnings.listSupersededBy(from)) {
      if (seen.has(each.id)) continue;
      seen.add(each.id);
      older.push(each);
      open.push(each.id);
    }
  return { older, newer };
}
