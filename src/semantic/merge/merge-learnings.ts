import { isDeepStrictEqual } from "node:util";
import type {
  ExtractedLearning,
  Learning,
  LearningContent,
  MergedFigures,
} from "../../domain/knowledge/learning.js";
import { maxExamples } from "../learning-limits.js";
import { combineFigures, figureFields, figuresOf, joinFigures, loopsOf } from "./source-figures.js";

/**
 * Merges two learnings about the same thing: the id and wording of the more confident one, the sources of both, confidence
 * and counts recomputed from all sources. Merging is commutative, associative and idempotent, because figures are kept by
 * source and uses by record, so nothing is counted twice.
 */
export function mergeLearnings(one: Learning, other: Learning): Learning {
  return mergeAs(one, other, isPreferred(other, one) ? other.id : one.id);
}

/** Merges a record of another store; the local id stays, whichever wording is kept. */
export function mergeInto(here: Learning, other: Learning): Learning {
  return mergeAs(here, other, here.id);
}

function mergeAs(one: Learning, other: Learning, id: string): Learning {
  const [kept, given] = isPreferred(other, one) ? [other, one] : [one, other];
  const sources = joinFigures(figuresOf(kept), figuresOf(given));
  const uses = joinUses(usesOf(kept), usesOf(given));
  const complete = [kept, given].filter(
    (learning) =>
      hasWordingOf(kept, learning) &&
      isDeepStrictEqual(figuresOf(learning), sources) &&
      isDeepStrictEqual(usesOf(learning), uses),
  );
  const [renamed] = complete.map((learning) => ({
    ...learning,
    id,
    merged: originOf(kept, id, sources, uses),
  }));
  const merged =
    complete.find((learning) => learning.id === id) ?? renamed ?? recompute(kept, id, sources, uses);
  const content = joinContent(kept, given, merged.content);
  const { origin: _origin, ...record } = merged;
  return {
    ...record,
    ...joinDetails(kept, given),
    content,
    // One value: what the sources say helped.
    ...(content.prevention !== undefined && { correct_approach: content.prevention }),
  };
}

/** Merges a new finding into a learning; returns the same object when it adds nothing. */
export function strengthenLearning(learning: Learning, found: ExtractedLearning, now: string): Learning {
  const again: Learning = { ...found, id: learning.id, createdAt: now, updatedAt: now, useCount: 0 };
  const sources = figuresOf(learning);
  if (isDeepStrictEqual(joinFigures(sources, figuresOf(again)), sources)) return learning;
  return mergeLearnings(learning, again);
}

/** Whether a finding says nothing that a learning does not know already, with the same evidence. */
export function addsNothing(learning: Learning, found: ExtractedLearning, now: string): boolean {
  return strengthenLearning(learning, { ...found, type: learning.type }, now) === learning;
}

type Sources = ReturnType<typeof figuresOf>;

function recompute(kept: Learning, id: string, sources: Sources, uses: Uses): Learning {
  const { content, confidence, successRate } = combineFigures(kept.type, sources);
  const wording = Object.entries(kept.content).filter(([name]) => !figureFields[kept.type].includes(name));
  return {
    ...kept,
    id,
    content: { ...Object.fromEntries(wording), ...content },
    confidence,
    sourceLoops: loopsOf(sources),
    successRate,
    useCount: totalOf(uses),
    merged: originOf(kept, id, sources, uses),
  };
}

function originOf(kept: Learning, id: string, sources: Sources, uses: Uses): MergedFigures {
  return {
    wordingConfidence: wordingConfidence(kept),
    sources: Object.fromEntries(sources),
    uses: Object.fromEntries([...uses].filter(([used]) => used !== id)),
  };
}

/** The more confident wording is kept; ties are broken by id, then by wording. */
function isPreferred(one: Learning, other: Learning): boolean {
  const difference = wordingConfidence(one) - wordingConfidence(other);
  if (difference !== 0) return difference > 0;
  return one.id === other.id ? wordingOf(one) < wordingOf(other) : one.id < other.id;
}

function wordingConfidence({ merged, confidence }: Learning): number {
  return merged?.wordingConfidence ?? confidence;
}

/** Whether a learning already has the wording that is kept. */
function hasWordingOf(kept: Learning, learning: Learning): boolean {
  return (
    wordingConfidence(learning) === wordingConfidence(kept) &&
    isDeepStrictEqual(statedBy(learning), statedBy(kept))
  );
}

/** A sort key: the wording, then the whole content, which distinguishes versions of one record. */
function wordingOf(learning: Learning): string {
  return JSON.stringify([statedBy(learning), byName(learning.content)]);
}

/** The wording of a record, without its figures. */
function statedBy({ type, content }: Learning): unknown[] {
  const isFigure = (name: string) => name === "examples" || figureFields[type].includes(name);
  return [type, byName(content).filter(([name]) => !isFigure(name))];
}

function byName(content: LearningContent): [string, unknown][] {
  return Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1));
}

type Uses = ReadonlyMap<string, number>;

/** Use counts of the record and of those merged into it, by id. */
function usesOf({ id, useCount, merged }: Learning): Uses {
  const others = Object.entries(merged?.uses ?? {});
  const own = useCount - others.reduce((total, [, count]) => total + count, 0);
  return joinUses(new Map(others), new Map([[id, own]]));
}

function joinUses(one: Uses, other: Uses): Uses {
  const joined = new Map(one);
  for (const [id, count] of other) joined.set(id, Math.max(joined.get(id) ?? 0, count));
  const used = [...joined].filter(([, count]) => count > 0);
  return new Map(used.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function totalOf(uses: Uses): number {
  return [...uses.values()].reduce((total, count) => total + count, 0);
}

function joinContent(kept: Learning, given: Learning, content: LearningContent): LearningContent {
  // The examples of a habit are those of what its sources agree on.
  if (kept.content.subject !== undefined) return content;
  const examples = joinLists(kept.content.examples, given.content.examples);
  return examples === undefined ? content : { ...content, examples: examples.slice(0, maxExamples) };
}

/** Everything but figures: earliest and latest times, all conditions, the longest advice. */
function joinDetails(kept: Learning, given: Learning): Partial<Learning> {
  const details = {
    createdAt: earlier(kept.createdAt, given.createdAt),
    updatedAt: later(kept.updatedAt, given.updatedAt),
    last_used: later(kept.last_used, given.last_used),
    taskType: kept.taskType === given.taskType ? kept.taskType : "general",
    category: fuller(kept.category, given.category),
    correct_approach: fuller(kept.correct_approach, given.correct_approach),
    incorrect_approach: fuller(kept.incorrect_approach, given.incorrect_approach),
    conditions: joinLists(kept.conditions, given.conditions),
    source_episodes: joinLists(kept.source_episodes, given.source_episodes),
    files: joinLists(kept.files, given.files),
    git_commit: newestCommit(kept, given),
    failure_key: kept.failure_key ?? given.failure_key,
    failure_aliases: joinLists(kept.failure_aliases, given.failure_aliases),
    reviewed_by: joinLists(kept.reviewed_by, given.reviewed_by),
    origin: kept.origin === given.origin ? kept.origin : undefined,
    superseded_by: kept.superseded_by ?? (kept.id === given.id ? given.superseded_by : undefined),
  };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

/** The more recent commit; ties are broken independently of the order. */
function newestCommit(one: Learning, other: Learning): string | undefined {
  if (one.git_commit === undefined || other.git_commit === undefined)
    return one.git_commit ?? other.git_commit;
  if (one.updatedAt !== other.updatedAt)
    return one.updatedAt > other.updatedAt ? one.git_commit : other.git_commit;
  return [one.git_commit, other.git_commit].sort().at(-1);
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

function later(one: string | undefined, other: string | undefined): string | undefined {
  return (one ?? "") > (other ?? "") ? one : other;
}

function fuller(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.length !== other.length) return one.length > other.length ? one : other;
  return one < other ? one : other;
}

/** The first list if it contains the second, else the union in alphabetical order. */
function joinLists(one: string[] | undefined, other: string[] | undefined): string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const isCovered = other.every((item) => one.includes(item));
  return isCovered ? one : [...new Set([...one, ...other])].sort();
}
