import { similarTasks } from "../weights.js";
import type { TermPositions } from "./term-positions.js";
import type { TermWeight } from "./term-weight.js";

const { family: weights } = similarTasks;

/** The evidence that tasks are of one family: the same work on another thing, or the same failure. */
interface FamilyEvidence {
  text: number;
  record: number;
  errors: number;
  frame: number;
  kind: number;
}

/** The log odds that a task is of the objective's family. In a large store, more tasks are alike by chance. */
export function familyLogit({ text, record, errors, frame, kind }: FamilyEvidence, records: number): number {
  const crowd = Math.log(Math.max(1, records / weights.fewRecords));
  return (
    weights.text * text +
    weights.record * record +
    weights.errors * errors +
    weights.frame * frame +
    weights.kind * kind -
    weights.offset -
    weights.crowd * crowd
  );
}

/** How much of an objective a task's record covers, from 0 to 1; less by a single specific word. */
export function recordCoverage(
  objective: TermPositions,
  record: TermPositions,
  weightOf: TermWeight,
): number {
  let all = 0;
  let covered = 0;
  let telling = 0;
  for (const [word, position] of objective) {
    const weight = weightOf(word);
    const there = record.get(word);
    all += position * weight;
    if (there === undefined) continue;
    covered += position * weight * Math.sqrt(there);
    if (weight >= similarTasks.tellingFrom) telling += 1;
  }
  if (all === 0) return 0;
  return (covered / all) * (telling >= 2 ? 1 : weights.oneWord);
}

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
      -Math.log((weights.kindTexts + (holding.get(kind) ?? 0)) / (similarTasks.backgroundTexts + records)),
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
    Math.min(1, weights.ofKind / Math.max(1, fewest)) *
      Math.min(1, weights.fewRecords / Math.max(1, records)),
  );
  return (shared / Math.sqrt(sizeOf(one) * sizeOf(other))) * crowded;
}
