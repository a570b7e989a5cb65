import { RalphError } from "../../domain/ralph-error.js";
import { type Reflection, saysSomething } from "../../domain/tasks/reflection.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredReflection } from "../../store/repositories/tasks/reflections.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import { suggest } from "../../text/nearest.js";
import { publicReflection } from "../tasks/public-records.js";

export const capacityPresets = ["simple", "moderate", "complex", "maximum"] as const;

export type CapacityPreset = (typeof capacityPresets)[number];

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
