import type {
  Learning,
  LearningContent,
  LearningType,
  SourceFigures,
  SourceRemedy,
} from "../../domain/knowledge/learning.js";
import { maxConfidence } from "../learning-limits.js";
import { combineWays } from "./agreed-habit.js";
import { bestRemedy } from "./best-remedy.js";

/** The figures of a learning by source loop, in the order of their names. */
type FiguresBySource = ReadonlyMap<string, SourceFigures>;

const ownSourcePrefix = "record ";

/**
 * A task that only shows how things are done. A convention isn't drawn from it as a lesson is: it says as much about any other
 * task.
 */
const casesPrefix = "cases of ";

export function casesOf(taskId: string): string {
  return casesPrefix + taskId;
}

/** Content fields that merging recomputes. */
export const figureFields: Record<LearningType, readonly string[]> = {
  strategy: ["effectiveness", "iterations"],
  antipattern: ["occurrences", "prevention"],
  estimate: ["avgIterationTime", "totalIterations", "successRate"],
  convention: [],
  pattern: [],
  fact: [],
};

/** The sources of a record that was never merged share its figures equally; without sources, it is its own. */
export function figuresOf(learning: Learning): FiguresBySource {
  if (learning.merged !== undefined) return inOrder(Object.entries(learning.merged.sources));
  const { type, confidence, successRate, content } = learning;
  const loops = [...new Set(learning.sourceLoops)];
  const sources = loops.length > 0 ? loops : [ownSourcePrefix + learning.id];
  const figures: SourceFigures = {
    // Those of estimates are added up again.
    confidence: type === "estimate" ? confidence / sources.length : confidence,
    successRate,
    count: countOf(learning) / sources.length,
    ...(type === "estimate" && pick(content, "avgIterationTime")),
    ...(type === "estimate" && pick(content, "totalIterations")),
    ...(type === "antipattern" && content.prevention && { remedy: remedyFrom(content.prevention) }),
  };
  return inOrder(sources.map((source) => [source, figures]));
}

/** The remedy of a record that does not say which source it is from. */
function remedyFrom(text: string): SourceRemedy {
  return { text, gist: text.toLowerCase() };
}

function countOf({ type, content }: Learning): number {
  const count = type === "strategy" ? content.iterations : type === "antipattern" ? content.occurrences : 1;
  return count ?? 1;
}

function pick(
  content: LearningContent,
  field: "avgIterationTime" | "totalIterations",
): Partial<SourceFigures> {
  const value = content[field];
  return value === undefined ? {} : { [field]: value };
}

/** The sources that are loops. */
export function loopsOf(figures: FiguresBySource): string[] {
  const isLoop = (source: string) =>
    ![ownSourcePrefix, casesPrefix].some((prefix) => source.startsWith(prefix));
  return [...figures.keys()].filter(isLoop);
}

/** The sources of both records; of two entries for one source, the later one, or the one with more evidence. */
export function joinFigures(one: FiguresBySource, other: FiguresBySource): FiguresBySource {
  const joined = new Map(one);
  for (const [source, figures] of other) {
    const known = joined.get(source);
    joined.set(source, known === undefined || hasMoreEvidence(figures, known) ? figures : known);
  }
  return inOrder(joined);
}

function hasMoreEvidence(one: SourceFigures, other: SourceFigures): boolean {
  if ((one.at ?? "") !== (other.at ?? "")) return (one.at ?? "") > (other.at ?? "");
  for (const field of [
    "count",
    "confidence",
    "successRate",
    "totalIterations",
    "avgIterationTime",
  ] as const) {
    const difference = (one[field] ?? -1) - (other[field] ?? -1);
    if (difference !== 0) return difference > 0;
  }
  return JSON.stringify(one.remedy ?? "") > JSON.stringify(other.remedy ?? "");
}

function inOrder<Value>(entries: Iterable<readonly [string, Value]>): ReadonlyMap<string, Value> {
  return new Map([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}

interface CombinedFigures {
  confidence: number;
  successRate: number;
  content: LearningContent;
}

export function combineFigures(type: LearningType, bySource: FiguresBySource): CombinedFigures {
  const figures = [...bySource.values()];
  const count = Math.round(figures.reduce((total, source) => total + source.count, 0));
  const successRate = type === "antipattern" ? 0 : mean(figures, "successRate");
  const confidence = combineConfidence(type, figures);
  switch (type) {
    case "strategy":
      return { confidence, successRate, content: { effectiveness: successRate, iterations: count } };
    case "antipattern":
      return { confidence, successRate, content: { occurrences: count, ...preventionOf(figures) } };
    case "estimate":
      return { confidence, successRate, content: { ...meanEffort(figures), successRate } };
    case "convention":
      return { successRate, ...(combineWays(figures) ?? { confidence, content: {} }) };
    default:
      return { confidence, successRate, content: {} };
  }
}

function preventionOf(figures: readonly SourceFigures[]): LearningContent {
  const remedy = bestRemedy(figures);
  return remedy === undefined ? {} : { prevention: remedy.text };
}

function meanEffort(figures: readonly SourceFigures[]): LearningContent {
  const timed = figures.filter(({ avgIterationTime }) => avgIterationTime !== undefined);
  const iterated = figures.filter(({ totalIterations }) => totalIterations !== undefined);
  return {
    ...(timed.length > 0 && { avgIterationTime: mean(timed, "avgIterationTime") }),
    ...(iterated.length > 0 && { totalIterations: mean(iterated, "totalIterations") }),
  };
}

/**
 * Starts at the best source; each other source closes up to a quarter of the remaining gap to 1. Estimates count completed
 * iterations, so theirs add up.
 */
function combineConfidence(type: LearningType, figures: readonly SourceFigures[]): number {
  if (type === "estimate") {
    const sum = figures.reduce((total, { confidence }) => total + confidence, 0);
    return Math.min(
      Math.round(sum * 1e6) / 1e6,
      Math.max(maxConfidence.estimate, ...figures.map((each) => each.confidence)),
    );
  }
  const [best = 0, ...others] = figures.map(({ confidence }) => confidence).sort((one, other) => other - one);
  const combined = 1 - others.reduce((gap, confidence) => gap * (1 - confidence / 4), 1 - best);
  return others.length === 0 ? best : Math.max(best, Math.min(combined, maxConfidence[type]));
}

function mean(
  figures: readonly SourceFigures[],
  field: "successRate" | "avgIterationTime" | "totalIterations",
): number {
  const [first = 0] = figures.map((source) => source[field] ?? 0);
  // Avoids rounding errors for equal values.
  if (figures.every((source) => source[field] === first)) return first;
  const weights = figures.reduce((total, { count }) => total + count, 0);
  const weigh = ({ count }: SourceFigures) => (weights > 0 ? count / weights : 1 / figures.length);
  return figures.reduce((total, source) => total + (source[field] ?? 0) * weigh(source), 0);
}
