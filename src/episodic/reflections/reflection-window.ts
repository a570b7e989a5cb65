import { RalphError } from "../../domain/ralph-error.js";
import { type Reflection, saysSomething } from "../../domain/tasks/reflection.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredReflection } from "../../store/repositories/tasks/reflections.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { suggest } from "../../text/nearest.js";
import { publicReflection } from "../tasks/get-task.js";
import type { AttemptWork } from "../tasks/task-work.js";

const capacityPresets = ["simple", "moderate", "complex", "maximum"] as const;

type CapacityPreset = (typeof capacityPresets)[number];

/** How many of a task's last reflections its attempts start with (Ω). */
export interface WindowOptions {
  defaultCapacity: number;
  presets: Record<CapacityPreset, number>;
  autoScaling: {
    enabled: boolean;
    scaleUpOn: readonly ("consecutive_failures" | "low_quality_scores")[];
    scaleDownOn: readonly ("high_quality_maintained" | "fast_convergence")[];
  };
}

/** The requested number or preset; else the scaled capacity; else the default. */
export function capacityOf(
  requested: number | string | undefined,
  task: Pick<StoredTask, "memory_capacity">,
  { defaultCapacity, presets }: WindowOptions,
): number {
  if (requested === undefined) return task.memory_capacity ?? defaultCapacity;
  const capacity = typeof requested === "string" && /^\d+$/.test(requested) ? Number(requested) : requested;
  if (typeof capacity === "number") {
    if (Number.isSafeInteger(capacity) && capacity >= 0) return capacity;
    throw new RalphError("wrong-use", `The window is a whole number of reflections, not ${capacity}`);
  }
  const preset = capacityPresets.find((name) => name === capacity);
  if (preset !== undefined) return presets[preset];
  throw new RalphError("wrong-use", `Unknown window: ${capacity}`, {
    hint: `a number, or ${suggest(capacity, capacityPresets)}`,
  });
}

/** The last reflections that say something, each statement once; oldest first. */
export function reflectionsInWindow(known: readonly StoredReflection[], capacity: number): Reflection[] {
  return capacity === 0 ? [] : windowOf(known, capacity).map(publicReflection);
}

/** The reflections that an attempt started with. */
export function reflectionsShownTo(
  { id, execution }: StoredAttempt,
  known: readonly StoredReflection[],
): StoredReflection[] {
  const { memory_capacity: capacity = 0 } = execution;
  if (capacity === 0) return [];
  return windowOf(
    known.filter(({ attempt_id: attempt }) => attempt < id),
    capacity,
  );
}

function windowOf(reflections: readonly StoredReflection[], capacity: number): StoredReflection[] {
  const newest = new Map<string, StoredReflection>();
  for (const reflection of reflections.toReversed()) {
    if (newest.size === capacity) break;
    const statement = reflection.learning || reflection.observation;
    if (saysSomething(reflection) && !newest.has(statement)) newest.set(statement, reflection);
  }
  return [...newest.values()].reverse();
}

/** The result of an iteration, or of an attempt without iterations. */
interface Performance {
  isSuccess: boolean;
  quality: number | undefined;
}

/** An attempt with the results of its iterations. */
type JudgedAttempt = Pick<AttemptWork, "outcome" | "results">;

interface Scaling {
  capacity: number;
  reason: string;
}

const failuresToWiden = 2;
const lowQuality = 0.5;
const highQuality = 0.8;
const highsToNarrow = 3;
const steepRise = 0.3;

/** Adjusts how many reflections the task's next attempt starts with, and records the reason. */
export async function scaleWindow(
  tx: Repositories,
  task: StoredTask,
  attempts: readonly JudgedAttempt[],
  { attemptId, window, now }: { attemptId: number; window: WindowOptions; now: string },
): Promise<void> {
  if (!window.autoScaling.enabled) return;
  const current = await tx.tasks.find(task.number);
  const from = capacityOf(undefined, current ?? task, window);
  const scaling = scaleCapacity(from, performancesOf(attempts), window);
  if (scaling === undefined) return;
  await tx.tasks.setCapacity(task.number, scaling.capacity);
  await tx.capacityChanges.record(task.number, {
    attempt_id: attemptId,
    timestamp: now,
    from,
    to: scaling.capacity,
    reason: scaling.reason,
  });
}

/** The next larger preset after bad results, the next smaller one after good ones; otherwise undefined. */
export function scaleCapacity(
  capacity: number,
  performances: readonly Performance[],
  { presets, autoScaling: { scaleUpOn, scaleDownOn } }: WindowOptions,
): Scaling | undefined {
  const steps = Object.values(presets).sort((a, b) => a - b);
  const higher = steps.find((step) => step > capacity);
  const lower = steps.findLast((step) => step < capacity);
  const worse = reasonsToWiden(performances).find(({ name }) => scaleUpOn.includes(name));
  if (worse !== undefined)
    return higher === undefined ? undefined : { capacity: higher, reason: sentence(worse) };
  const better = reasonsToNarrow(performances).find(({ name }) => scaleDownOn.includes(name));
  if (better === undefined || lower === undefined) return undefined;
  return { capacity: lower, reason: sentence(better) };
}

interface Reason<Name extends string> {
  name: Name;
  detail: string;
}

function reasonsToWiden(performances: readonly Performance[]) {
  const failed = streakOf(performances, ({ isSuccess }) => !isSuccess);
  const low = streakOf(performances, ({ quality }) => quality !== undefined && quality < lowQuality);
  const found: Reason<"consecutive_failures" | "low_quality_scores">[] = [];
  if (isMultiple(failed, failuresToWiden))
    found.push({ name: "consecutive_failures", detail: `${failed} in a row` });
  if (isMultiple(low, failuresToWiden))
    found.push({ name: "low_quality_scores", detail: `${low} below ${lowQuality}` });
  return found;
}

function reasonsToNarrow(performances: readonly Performance[]) {
  const high = streakOf(performances, ({ quality }) => quality !== undefined && quality >= highQuality);
  const [before, last] = performances.slice(-2).map(({ quality }) => quality);
  const found: Reason<"high_quality_maintained" | "fast_convergence">[] = [];
  if (isMultiple(high, highsToNarrow))
    found.push({ name: "high_quality_maintained", detail: `${high} of ${highQuality} or more` });
  if (before !== undefined && last !== undefined && last - before >= steepRise)
    found.push({ name: "fast_convergence", detail: `quality rose from ${before} to ${last}` });
  return found;
}

/** How many of the last results match, without a break. */
function streakOf(
  performances: readonly Performance[],
  isMatch: (performance: Performance) => boolean,
): number {
  const last = performances.findLastIndex((performance) => !isMatch(performance));
  return performances.length - 1 - last;
}

/** Whether a streak has grown by another `step`; not every further result counts. */
function isMultiple(length: number, step: number): boolean {
  return length > 0 && length % step === 0;
}

function sentence({ name, detail }: Reason<string>): string {
  return `${name}: ${detail}`;
}

function performancesOf(attempts: readonly JudgedAttempt[]): Performance[] {
  return attempts.flatMap(({ outcome, results }) => {
    const judged = results.filter(({ success }) => success !== undefined);
    if (judged.length > 0)
      return judged.map(({ success, quality }) => ({ isSuccess: success === true, quality }));
    if (outcome === undefined) return [];
    return [{ isSuccess: outcome.status === "success", quality: outcome.final_quality }];
  });
}
