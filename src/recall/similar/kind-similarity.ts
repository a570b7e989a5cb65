import { similarTasks } from "../weights.js";

const { kind: weights } = similarTasks;

/** How many tasks of the store are of each kind. */
export interface KindCounts {
  holding: ReadonlyMap<string, number>;
  records: number;
}

/** How far two tasks are of the same kinds of work, from 0 to 1; among many tasks, and of a kind that many are of, it says little. */
export function kindSimilarity(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
  { holding, records }: KindCounts,
): number {
  const rarity = (kind: string) =>
    Math.max(
      weights.leastRarity,
      -Math.log((weights.texts + (holding.get(kind) ?? 0)) / (similarTasks.backgroundTexts + records)),
    );
  const sizeOf = (kinds: ReadonlyMap<string, number>) => {
    let size = 0;
    for (const [kind, certainty] of kinds) size += certainty * rarity(kind);
    return size;
  };
  const both = [...one.keys()].filter((kind) => other.has(kind));
  if (both.length === 0) return 0;
  const shared = both.reduce(
    (sum, kind) => sum + Math.min(one.get(kind) ?? 0, other.get(kind) ?? 0) * rarity(kind),
    0,
  );
  const fewest = Math.min(...both.map((kind) => holding.get(kind) ?? 0));
  const crowded = Math.sqrt(
    Math.min(1, weights.crowded / Math.max(1, fewest)) *
      Math.min(1, similarTasks.evidence.fewRecords / Math.max(1, records)),
  );
  return (shared / Math.sqrt(sizeOf(one) * sizeOf(other))) * crowded;
}
