import type { LearningContent, SourceFigures } from "../../domain/knowledge/learning.js";
import { rounded } from "../../domain/rounded.js";
import { maxConfidence, maxExamples, minConfidence } from "../learning-limits.js";

/** The choice of cases that follow no rule, or one that everybody expects. */
export const otherWay = "other";

/** Habits change: only the latest tasks count. */
const latestTasks = 10;
const enough = { tasks: 4, share: 0.8 };

interface Habit {
  /** The sentence that most cases agree on; undefined if they follow no rule. */
  choice: string | undefined;
  agreeing: number;
  cases: number;
  /** Tasks with such a case. */
  tasks: number;
  /** From these tasks, the newest first. */
  examples: string[];
}

/** What the sources of a convention have in common; undefined if they have no cases, as those of other tools. */
function habitOf(figures: readonly SourceFigures[]): Habit | undefined {
  const latest = figures
    .filter(({ ways }) => ways !== undefined)
    .sort((one, other) => compare(other.at ?? "", one.at ?? ""))
    .slice(0, latestTasks);
  if (latest.length === 0) return undefined;
  const totals = totalsOf(latest);
  const cases = [...totals.values()].reduce((sum, count) => sum + count, 0);
  // A habit that was given up is shown with its count, which is low then.
  const choice = bestOf(totals) ?? bestOf(totalsOf(figures));
  if (choice === undefined) return { choice, agreeing: 0, cases, tasks: 0, examples: [] };
  const agreeing = totals.get(choice) ?? 0;
  const examples = latest.flatMap(({ ways = {} }) => ways[choice]?.example ?? []);
  return { choice, agreeing, cases, tasks: examples.length, examples: [...new Set(examples)] };
}

function totalsOf(figures: readonly SourceFigures[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { ways = {} } of figures)
    for (const [choice, { cases }] of Object.entries(ways))
      totals.set(choice, (totals.get(choice) ?? 0) + cases);
  return totals;
}

function bestOf(totals: ReadonlyMap<string, number>): string | undefined {
  const [best] = [...totals]
    .filter(([choice]) => choice !== otherWay)
    .sort(([one, count], [other, more]) => more - count || compare(one, other));
  return best?.[0];
}

/** Whether enough tasks agree on it. */
export function hasAgreement(figures: readonly SourceFigures[]): boolean {
  const habit = habitOf(figures);
  return (
    habit?.choice !== undefined && habit.tasks >= enough.tasks && habit.agreeing / habit.cases >= enough.share
  );
}

/** The statement with its count, examples and confidence; undefined if the sources have no cases. */
export function combineWays(
  figures: readonly SourceFigures[],
): { content: LearningContent; confidence: number } | undefined {
  const habit = habitOf(figures);
  if (habit === undefined) return undefined;
  const { choice, agreeing, cases, tasks, examples } = habit;
  if (choice === undefined) return { content: { pattern: "No rule found" }, confidence: 0 };
  const confidence = (agreeing / cases) * (1 - 0.4 / Math.max(1, tasks));
  return {
    content: { pattern: `${choice} (${agreeing} of ${cases})`, examples: examples.slice(0, maxExamples) },
    confidence: Math.max(minConfidence, Math.min(maxConfidence.convention, rounded(confidence))),
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
